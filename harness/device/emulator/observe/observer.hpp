// What is noted of a worker's memory accesses while it runs kernels that were decoded with observers.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/device/emulator/instruction.hpp"
#include "harness/device/emulator/observe/pattern.hpp"
#include "harness/device/emulator/observe/sanitizer.hpp"

namespace quadpair::emulator {

struct MemoryCounts {
  std::uint64_t sectors = 0, fewest = 0, conflicts = 0;  ///< as AccessPattern has them

  /// An access whose first active lane goes to `address`.
  void add(AccessPattern& pattern, std::uint64_t address) {
    if (pattern.global_lanes != 0) {
      const std::uint32_t known = pattern.sectors_at[address % kSectorBytes];
      sectors += known != 0 ? known : emulator::sectors(pattern, address);
    }
    fewest += pattern.fewest;
    conflicts += pattern.conflicts;
  }
  void add(const MemoryCounts& other) {
    sectors += other.sectors;
    fewest += other.fewest;
    conflicts += other.conflicts;
  }
};

class Observer {
 public:
  void begin_launch(const Kernel& kernel, std::uint32_t shared_bytes, std::uint32_t warps);

  /// The pattern of the last access of that site by the warp: usually the next one's too.
  AccessPattern& pattern(std::uint32_t site, std::uint32_t warp) {
    return patterns_[site * kWays + warp % kWays];
  }
  AccessPattern& learn(const Kernel& kernel, std::uint32_t site, std::uint32_t warp,
                       const std::uint64_t* addresses, std::uint64_t displacement, std::uint32_t lanes);

  MemoryCounts counts;
  Sanitizer sanitizer;  ///< of kernels that are observed for faults

 private:
  static constexpr std::uint32_t kWays = 8;  ///< warps of a site that do not share a pattern
  std::vector<AccessPattern> patterns_;
};

}  // namespace quadpair::emulator
