// How often a case runs on a device, over which inputs, and over what is left in its buffers.
#pragma once

#include <array>
#include <cstdint>

namespace quadpair::run {

/// The eager one, and two that replays change to.
inline constexpr unsigned rounds_of_inputs = 3;

/// Fill patterns of outputs and workspaces before each run, in turn: an element that is not written keeps a
/// wrong value in all runs but, at worst, one.
inline constexpr std::array<std::uint8_t, 4> poisons = {0xA5, 0x5A, 0xC3, 0x96};

/// Whether the last round is run eagerly once more: not where a run takes many multiply-adds, since replays
/// of the same work were compared already.
constexpr bool runs_eagerly_again(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  return m * n * k < std::uint64_t{1} << 31;
}

}  // namespace quadpair::run
