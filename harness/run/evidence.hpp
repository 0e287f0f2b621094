// Samples a case's sums to see whether its data can tell one order of summation from another.
#pragma once

#include <cstdint>
#include <span>

#include "reference/gemm/gemm.hpp"

namespace quadpair::run {

/// Whether each of up to 64 sums, spread over the m rows of x, FP16 [m, ldx], and over those of the weights,
/// is exact in any order. True when there are none.
bool sampled_sums_exact(const reference::GemmMatrix& weights, std::uint32_t m, std::uint32_t ldx,
                        std::span<const std::uint16_t> x);

}  // namespace quadpair::run
