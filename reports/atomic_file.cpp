#include "reports/atomic_file.hpp"

#include <unistd.h>

#include <string>

#include "reports/descriptor.hpp"

namespace quadpair::reports {
namespace {

namespace fs = std::filesystem;

/// Where the text is written first: a name that no other process uses.
fs::path beside(const fs::path& file) {
  return file.string() + "." + std::to_string(::getpid()) + ".partial";
}

/// The file that a link stands for, so that the link stays. Devices, pipes and folders are refused: to rename
/// a file over one would destroy it.
fs::path destination(const fs::path& file) {
  const fs::file_status status = fs::status(file);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw std::system_error(fs::is_directory(status) ? EISDIR : EINVAL, std::generic_category(),
                            file.string() + " is no regular file");
  return fs::is_symlink(file) ? fs::weakly_canonical(file) : file;
}

}  // namespace

void require_writable(const std::filesystem::path& file) {
  const fs::path probe = beside(destination(file));
  { const Descriptor made(probe); }
  fs::remove(probe);
}

void write_atomically(const std::filesystem::path& file, std::string_view text) {
  const fs::path target = destination(file), partial = beside(target);
  try {
    Descriptor(partial).write_and_sync(text);
    fs::rename(partial, target);
  } catch (...) {
    std::error_code ignored;
    fs::remove(partial, ignored);
    throw;
  }
}

}  // namespace quadpair::reports
