// Internal to the launch code: which of the compiled tiles suits a shape that nobody has measured.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/wide/tm_gemm.hpp"

namespace quadpair::wide {

/// The tile that an estimate makes the fastest for y[m, n]; the first of equals. `weight_bits`: of one weight
/// as it is read.
Tuning best_tile(std::span<const Tuning> tiles, std::uint32_t m, std::uint32_t n, std::uint32_t weight_bits);

}  // namespace quadpair::wide
