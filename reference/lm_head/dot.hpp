// Exact logits of the FP16 head, summed as the kernels' DotPlan says.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/common/dot_plan.hpp"
#include "reference/formats/fp16.hpp"

namespace quadpair::reference {

/// FP32 logits [m, n] of x FP16 [m, k] (leading dimension ldx) against head FP16 [n, k]; NaN is 0x7FFFFFFF.
/// Vectorised (Highway) and spread over the cores (oneTBB). Throws std::invalid_argument where head's size is
/// not n . k, or for a plan of other than 32 lanes.
std::vector<float> dense_logits(std::span<const Half> head, std::uint32_t n, std::uint32_t k, const Half* x,
                                std::uint32_t m, std::uint32_t ldx, const DotPlan& plan);

}  // namespace quadpair::reference
