#include "harness/device/emulator/cost.hpp"

#include <fmt/format.h>

#include "harness/device/emulator/warpgroup.hpp"
#include "kernels/common/plan.hpp"

namespace quadpair::emulator {

void Counts::add(const Kernel& kernel, const Worker& worker) {
  for (std::size_t b = 0; b < kernel.blocks.size(); ++b) {
    const BlockCounts& block = kernel.blocks[b];
    for (std::size_t k = 0; k < kinds_.size(); ++k) kinds_[k] += worker.executions[b] * block.kinds[k];
    for (std::size_t s = 0; s < mma_.size(); ++s) mma_[s] += worker.executions[b] * block.mma[s];
    for (std::size_t n = 0; n < warpgroup_.size(); ++n)
      warpgroup_[n] += worker.executions[b] * block.warpgroup[n];
  }
  divergences_ += worker.divergences;
  memory_.add(worker.observer.counts);
}

device::Cost Counts::cost() const {
  device::Cost cost;
  for (std::size_t k = 0; k < kinds_.size(); ++k)
    if (kinds_[k] != 0) cost.warp_instructions.emplace_back(kind_name(static_cast<Kind>(k)), kinds_[k]);
  for (const MmaShape shape : all_mma_shapes)
    if (const std::uint64_t count = mma_[static_cast<std::size_t>(shape)]; count != 0)
      cost.mma.emplace_back(to_string(shape), count);
  for (std::size_t n = 0; n < warpgroup_.size(); ++n)
    if (warpgroup_[n] != 0)
      cost.mma.emplace_back(fmt::format("m64n{}k16", 8 * (n + 1)), warpgroup_[n] / kGroupWarps);
  cost.divergent_branches = divergences_;
  cost.global_sectors = memory_.sectors;
  cost.fewest_sectors = memory_.fewest;
  cost.shared_conflicts = memory_.conflicts;
  return cost;
}

}  // namespace quadpair::emulator
