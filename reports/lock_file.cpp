#include "reports/lock_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <string>

#include "reports/descriptor.hpp"

namespace quadpair::reports {
namespace {

/// The folder may be everyone's: a file of another user is opened, never made over, and no link is followed.
int open_shared(const std::filesystem::path& file) {
  constexpr mode_t everyone = 0666;
  constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  int fd = ::open(file.c_str(), flags);
  if (fd < 0 && errno == ENOENT) {
    fd = ::open(file.c_str(), flags | O_CREAT | O_EXCL, everyone);
    if (fd >= 0) static_cast<void>(::fchmod(fd, everyone));  // whatever the umask
    if (fd < 0 && errno == EEXIST) fd = ::open(file.c_str(), flags);
  }
  if (fd < 0) throw_errno(file);
  return fd;
}

std::string contents(int fd) {
  std::array<char, 4096> text{};
  const ssize_t got = ::pread(fd, text.data(), text.size(), 0);
  return {text.data(), static_cast<std::size_t>(got < 0 ? 0 : got)};
}

}  // namespace

LockFile::LockFile(const std::filesystem::path& file, std::string_view holder) : fd_(open_shared(file)) {
  const auto written = static_cast<ssize_t>(holder.size());
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0 && ::ftruncate(fd_, 0) == 0 &&
      ::pwrite(fd_, holder.data(), holder.size(), 0) == written)
    return;
  const int error = errno;
  const std::string other = error == EWOULDBLOCK ? contents(fd_) : "";
  ::close(fd_);
  if (error == EWOULDBLOCK) throw Held(other);
  throw std::system_error(error, std::generic_category(), file.string());
}

LockFile::~LockFile() {
  ::close(fd_);
}

}  // namespace quadpair::reports
