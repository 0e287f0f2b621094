// Exact counts, from how often each basic block ran and what observers noted of memory accesses.
#pragma once

#include <array>
#include <cstdint>

#include "harness/device/device.hpp"
#include "harness/device/emulator/kernel.hpp"
#include "harness/device/emulator/run.hpp"

namespace quadpair::emulator {

class Counts {
 public:
  /// Adds what a worker executed in its last launch.
  void add(const Kernel& kernel, const Worker& worker);
  device::Cost cost() const;  ///< kinds and shapes that occurred

 private:
  std::array<std::uint64_t, static_cast<std::size_t>(Kind::count)> kinds_{};
  std::array<std::uint64_t, mma_shapes> mma_{};
  std::array<std::uint64_t, 32> warpgroup_{};  ///< parts of wgmma, by N / 8 - 1
  std::uint64_t divergences_ = 0;
  MemoryCounts memory_;
};

}  // namespace quadpair::emulator
