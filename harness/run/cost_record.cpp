#include "harness/run/cost_record.hpp"

namespace quadpair::run {

reports::CostRecord cost_record(const device::Cost& cost) {
  return {.warp_instructions = cost.warp_instructions,
          .mma = cost.mma,
          .global_sectors = cost.global_sectors,
          .fewest_sectors = cost.fewest_sectors,
          .shared_conflicts = cost.shared_conflicts,
          .divergent_branches = cost.divergent_branches};
}

}  // namespace quadpair::run
