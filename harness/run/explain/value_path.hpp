// Where a value comes from, through instructions that only move bits.
#pragma once

#include "harness/device/history.hpp"

namespace quadpair::run {

/// The piece of a load, a product, a rounding ... that an FP16 number is a copy of: through copies, packing,
/// unpacking, shifts and permutations.
device::Piece source_of_half(const device::History& history, device::Piece half);

/// The node behind copies through shared memory.
std::uint32_t behind_copies(const device::History& history, std::uint32_t node);

/// The FP16 number that a piece is.
inline std::uint16_t half_of(const device::History& history, device::Piece piece) {
  return static_cast<std::uint16_t>(history.nodes[piece.node].bits >> piece.shift);
}

}  // namespace quadpair::run
