// Which instruction made a weight what it should not be.
#pragma once

#include <cstdint>

#include "harness/run/explain/explanation.hpp"
#include "harness/run/matrix.hpp"
#include "harness/run/problem.hpp"

namespace quadpair::run {

/// A weight as it should be: row of W (logical), k and FP16 value.
struct WantedWeight {
  std::uint32_t row = 0, k = 0;
  reference::Half value = 0;
};

/// Sets what, instruction and made_by of a difference: `piece` of the history is not the wanted weight. Looks
/// at the places that it was read from, at what stands there, and then at its decoding, from the end.
void blame_weight(const Problem& problem, const Matrix& matrix, const device::History& history,
                  device::Piece piece, const WantedWeight& wanted, Difference& difference);

/// The distinct instructions that a node was computed with, by PTX line; back to loads, parameters and
/// constants, not past the product of an mma.
std::vector<device::CodeLine> computed_with(const device::History& history, std::uint32_t node);

}  // namespace quadpair::run
