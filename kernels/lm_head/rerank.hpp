// lm_head_rerank: exact logits of the candidates, then the best of them. The contract.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/common/dot_plan.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/lm_head/candidates.hpp"

namespace quadpair::lm_head {

struct RerankArguments {
  std::uint32_t m = 0;     ///< rows of x, 0..8
  std::uint32_t n = 0;     ///< vocabulary rows of the shard, in at most 32 chunks
  std::uint32_t k = 0;     ///< input features, a multiple of 64
  std::uint32_t top = 16;  ///< results a row: 1..64
  DevicePtr head = 0;      ///< f16 [n, k], 16-byte aligned
  DevicePtr x = 0;         ///< f16 [m, k], 16-byte aligned, ldx a multiple of 8
  std::uint32_t ldx = 0;
  DevicePtr candidates = 0;    ///< as screen() gives them
  DevicePtr scores = 0;        ///< workspace, f32 [m][chunks(n)][64]
  std::uint32_t first_id = 0;  ///< vocabulary id of the shard's first row
  DevicePtr values = 0;  ///< f32 [m][top], best first, bitwise those of dense(); NaN where there are fewer
  DevicePtr ids = 0;     ///< u32 [m][top], first_id added; no_candidate where there are fewer
};

/// Throws Refused.
std::vector<Launch> rerank(const RerankArguments& arguments, Target target);

}  // namespace quadpair::lm_head
