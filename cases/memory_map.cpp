#include "cases/memory_map.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const char* action) {
  throw DataError(file.string() + ": cannot " + action + ": " + std::generic_category().message(errno));
}

/// A descriptor that is closed on every way out.
struct Descriptor {
  int value;
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
};

}  // namespace

MemoryMap::MemoryMap(const std::filesystem::path& file) {
  const Descriptor descriptor{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  if (descriptor.value < 0) fail(file, "open");
  struct stat status {};
  if (::fstat(descriptor.value, &status) != 0) fail(file, "stat");
  if (!S_ISREG(status.st_mode)) throw DataError(file.string() + ": not a regular file");
  if (status.st_size == 0) return;  // nothing to map: an empty span
  void* address =
      ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, descriptor.value, 0);
  if (address == MAP_FAILED) fail(file, "map");
  data_ = static_cast<const std::byte*>(address);
  size_ = static_cast<std::size_t>(status.st_size);
}

MemoryMap::~MemoryMap() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

MemoryMap::MemoryMap(MemoryMap&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MemoryMap& MemoryMap::operator=(MemoryMap&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace quadpair::cases
