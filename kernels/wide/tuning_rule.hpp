// Internal to the launch code: which of the compiled tiles suits a shape.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/wide/tm_gemm.hpp"

namespace quadpair::wide {

/// A tile with the time that a step, a unit of 64 k of every slice, takes on an H200.
struct MeasuredTile {
  Tuning tile;
  std::uint32_t one_ns = 0;  ///< of one block on a multiprocessor
  std::uint32_t two_ns = 0;  ///< of two side by side; 0: two do not fit
};

/// The tile that computes y[m, n] over k the soonest: blocks fill 132 multiprocessors round by round, and a
/// round takes as many steps as a slice has units. The first of equals.
Tuning best_tile(std::span<const MeasuredTile> tiles, std::uint32_t m, std::uint32_t n, std::uint32_t k);

}  // namespace quadpair::wide
