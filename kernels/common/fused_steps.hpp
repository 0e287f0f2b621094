// Internal to the launch code: the matrix instructions that every family issues over a unit of k.
#pragma once

#include "kernels/common/plan.hpp"
#include "kernels/common/target.hpp"

namespace quadpair {

/// A plan for K = k with `chains` chains and `slices` equal slices, the boundaries rounded down to whole
/// units. sm70: units of one group of 16 k; step q sums k 4q..4q+3 of it. sm80, sm90: units of four groups;
/// step j sums k 4j..4j+3 of each group. Step i extends chain i mod chains.
AccumulationPlan plan_of(std::uint32_t k, std::uint32_t chains, std::uint32_t slices, Target target);

/// The plan of kernels whose operands both lie in shared memory for wgmma: units of 64 k, ascending, step j
/// sums k 16j..16j+15; one chain, one slice.
AccumulationPlan plan_of_warpgroups(std::uint32_t k);

}  // namespace quadpair
