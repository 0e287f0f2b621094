// lm_head_dense: all exact logits of a vocabulary shard. The contract.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/common/dot_plan.hpp"
#include "kernels/common/launch.hpp"

namespace quadpair::lm_head {

struct DenseArguments {
  std::uint32_t m = 0;  ///< rows of x, any number; 0 launches nothing
  std::uint32_t n = 0;  ///< vocabulary rows of the shard
  std::uint32_t k = 0;  ///< input features, a multiple of 64
  DevicePtr head = 0;   ///< f16 [n, k], 16-byte aligned
  DevicePtr x = 0;      ///< f16 [m, k], 16-byte aligned, ldx a multiple of 8
  std::uint32_t ldx = 0;
  DevicePtr logits = 0;  ///< f32 [m, n], summed as DotPlan says
};

/// Throws Refused.
std::vector<Launch> dense(const DenseArguments& arguments, Target target);

}  // namespace quadpair::lm_head
