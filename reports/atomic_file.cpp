#include "reports/atomic_file.hpp"

#include "reports/descriptor.hpp"

namespace quadpair::reports {
namespace {

std::filesystem::path beside(const std::filesystem::path& file) {
  return file.string() + ".partial";
}

}  // namespace

void require_writable(const std::filesystem::path& file) {
  if (std::filesystem::is_directory(file))
    throw std::system_error(EISDIR, std::generic_category(), file.string());
  { const Descriptor probe(beside(file)); }
  std::filesystem::remove(beside(file));
}

void write_atomically(const std::filesystem::path& file, std::string_view text) {
  const std::filesystem::path partial = beside(file);
  try {
    Descriptor(partial).write_and_sync(text);
    std::filesystem::rename(partial, file);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw;
  }
}

}  // namespace quadpair::reports
