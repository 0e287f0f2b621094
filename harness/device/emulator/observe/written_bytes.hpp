// Which bytes of a buffer hold a value that was put there, rather than poison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quadpair::emulator {

class WrittenBytes {
 public:
  explicit WrittenBytes(std::size_t bytes) : bytes_(bytes), bits_((bytes + 63) / 64) {}

  void clear();
  void add(std::size_t offset, std::size_t bytes);
  bool all(std::size_t offset, std::size_t bytes) const;

  /// Whether every byte is known to be written; a quick answer for a buffer that was filled at once.
  bool complete() const { return complete_; }

 private:
  std::size_t bytes_;
  std::vector<std::uint64_t> bits_;
  bool complete_ = false;
};

}  // namespace quadpair::emulator
