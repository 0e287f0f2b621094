#include "harness/device/emulator/observe/observer.hpp"

#include <algorithm>

#include "harness/device/emulator/kernel.hpp"

namespace quadpair::emulator {

void Observer::begin_launch(const Kernel& kernel, std::uint32_t shared_bytes, std::uint32_t warps) {
  counts = {};
  if (!observes_accesses(kernel.observation)) return;
  patterns_.resize(std::max(patterns_.size(), kernel.accesses.size() * kWays));
  for (AccessPattern& pattern : patterns_) pattern.lanes = 0;  // none yet
  if (kernel.observation == Observation::faults) sanitizer.begin_launch(kernel, shared_bytes, warps);
}

AccessPattern& Observer::learn(const Kernel& kernel, std::uint32_t site, std::uint32_t warp,
                               const std::uint64_t* addresses, std::uint64_t displacement,
                               std::uint32_t lanes) {
  return patterns_[site * kWays + warp % kWays] =
             make_pattern(kernel.accesses[site], addresses, displacement, lanes);
}

}  // namespace quadpair::emulator
