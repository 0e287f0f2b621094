// A file's bytes through a read-only memory map.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace quadpair::cases {

/// Only the pages that are read are loaded. Movable; unmapped on destruction.
class MemoryMap {
 public:
  /// Throws DataError naming the file when it cannot be opened or mapped.
  explicit MemoryMap(const std::filesystem::path& file);
  ~MemoryMap();
  MemoryMap(MemoryMap&& other) noexcept;
  MemoryMap& operator=(MemoryMap&& other) noexcept;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace quadpair::cases
