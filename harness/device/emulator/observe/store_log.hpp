// What a worker's blocks have stored to global memory in one launch, and which stores of different blocks
// meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/device/emulator/memory.hpp"
#include "harness/device/emulator/observe/findings.hpp"
#include "kernels/common/launch.hpp"

namespace quadpair::emulator {

/// Bytes on end that one instruction stored, by one lane or several.
struct Stored {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  std::uint32_t instruction = 0;  ///< index in the kernel
  std::uint64_t block = 0;
  std::uint32_t warp = 0, lane = 0;  ///< of the first byte

  std::uint64_t end() const { return address + bytes; }
};

class StoreLog {
 public:
  void clear() { stored_.clear(), block_begins_ = 0; }
  void begin_block() { block_begins_ = stored_.size(); }
  void add(const Stored& one) { stored_.push_back(one); }
  const std::vector<Stored>& all() const { return stored_; }

  /// Whether the running block has stored all of [address, address + bytes).
  bool block_stored(std::uint64_t address, std::uint64_t bytes) const;

 private:
  std::vector<Stored> stored_;
  std::size_t block_begins_ = 0;
};

/// Marks as written what a launch stored, and adds a fault for each place that two blocks stored to: blocks
/// are not ordered, so that it is one even when the values are equal.
void settle_stores(std::span<const StoreLog* const> logs, const Kernel& kernel, const Dim3& grid,
                   const Memory& memory, Findings& findings);

}  // namespace quadpair::emulator
