// A file that one process at a time holds, and that names its holder.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace quadpair::reports {

/// Another process holds the file; what() is what that one wrote into it, which may be nothing yet.
struct Held : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Held until the object or the process ends, however that ends. The file stays, for anyone to hold.
class LockFile {
 public:
  /// Takes the file, made where there is none, and writes `holder` into it. Throws Held, or std::system_error
  /// where the file cannot be made or written.
  LockFile(const std::filesystem::path& file, std::string_view holder);
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;
  ~LockFile();

 private:
  int fd_;
};

}  // namespace quadpair::reports
