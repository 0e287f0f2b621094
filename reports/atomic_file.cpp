#include "reports/atomic_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "reports/descriptor.hpp"

namespace quadpair::reports {
namespace {

namespace fs = std::filesystem;

/// Where the text is written first: a name that no other process uses.
fs::path beside(const fs::path& file) {
  return file.string() + "." + std::to_string(::getpid()) + ".partial";
}

/// The file that a link stands for.
fs::path resolved(const fs::path& file) {
  return fs::is_symlink(file) ? fs::weakly_canonical(file) : file;
}

/// The same, so that the link stays. Devices, pipes and folders are refused: to rename
/// a file over one would destroy it; and so is a file in no folder.
fs::path destination(const fs::path& file) {
  const fs::file_status status = fs::status(file);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw std::system_error(fs::is_directory(status) ? EISDIR : EINVAL, std::generic_category(),
                            file.string() + " is no regular file");
  fs::path target = resolved(file);
  const fs::path folder = target.parent_path();
  if (!folder.empty() && !fs::is_directory(folder))
    throw std::system_error(ENOENT, std::generic_category(), folder.string() + " is no folder");
  return target;
}

/// Has `make` make a synced file beside `file`, which then takes its place.
template <class Make>
void replace(const fs::path& file, const Make& make) {
  const fs::path target = destination(file), partial = beside(target);
  try {
    make(partial);
    fs::rename(partial, target);
  } catch (...) {
    std::error_code ignored;
    fs::remove(partial, ignored);
    throw;
  }
}

void sync(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw_errno(file);
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error != 0) throw std::system_error(error, std::generic_category(), file.string());
}

}  // namespace

void require_writable(const std::filesystem::path& file) {
  const fs::path probe = beside(destination(file));
  { const Descriptor made(probe); }
  fs::remove(probe);
}

void remove_leftovers(const std::filesystem::path& file) {
  const fs::path target = resolved(file);
  const std::string stem = target.filename().string() + ".", end = ".partial";
  std::error_code ignored;
  for (const auto& entry :
       fs::directory_iterator(target.has_parent_path() ? target.parent_path() : ".", ignored)) {
    const std::string file_name = entry.path().filename();
    std::string_view name = file_name;
    if (!name.starts_with(stem) || !name.ends_with(end) || name.size() <= stem.size() + end.size()) continue;
    name = name.substr(stem.size(), name.size() - stem.size() - end.size());
    if (std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }))
      fs::remove(entry.path(), ignored);
  }
}

void write_atomically(const std::filesystem::path& file, std::string_view text) {
  replace(file, [&](const fs::path& partial) { Descriptor(partial).write_and_sync(text); });
}

void copy_atomically(const std::filesystem::path& source, const std::filesystem::path& file) {
  replace(file, [&](const fs::path& partial) {
    fs::copy_file(source, partial, fs::copy_options::overwrite_existing);
    sync(partial);
  });
}

}  // namespace quadpair::reports
