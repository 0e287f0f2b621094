// A POSIX file descriptor that closes itself.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace quadpair::reports {

[[noreturn]] inline void throw_errno(const std::filesystem::path& file) {
  throw std::system_error(errno, std::generic_category(), file.string());
}

/// What becomes of a file's contents when it is opened.
enum class Contents { emptied, kept };

class Descriptor {
 public:
  /// Opens for writing at the end, made where there is none, and for this process alone as long as it is
  /// open. Throws std::system_error, also when another Descriptor has the file; that one's contents are then
  /// untouched.
  explicit Descriptor(std::filesystem::path file, Contents contents = Contents::emptied)
      : file_(std::move(file)), fd_(::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
    if (fd_ < 0) throw_errno(file_);
    const bool taken = ::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && (contents == Contents::kept || ::ftruncate(fd_, 0) == 0)) return;
    const std::error_code error(taken ? EBUSY : errno, std::generic_category());
    ::close(fd_);
    throw std::system_error(error, file_.string() + (taken ? " is being written by another run" : ""));
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(fd_); }

  /// Writes all of it and waits until it is on the disk. Throws std::system_error.
  void write_and_sync(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(fd_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw_errno(file_);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (::fdatasync(fd_) != 0) throw_errno(file_);
  }

  /// Leaves only the first `bytes` bytes. Throws std::system_error.
  void cut(std::uint64_t bytes) {
    if (::ftruncate(fd_, static_cast<off_t>(bytes)) != 0) throw_errno(file_);
  }

 private:
  std::filesystem::path file_;
  int fd_;
};

}  // namespace quadpair::reports
