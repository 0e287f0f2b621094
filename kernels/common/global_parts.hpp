// FP32 global scales of a fused matrix, by value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace quadpair {

/// Multipliers g of up to eight parts, each of whole 32-column tiles: part i covers tiles [end[i-1], end[i]).
/// A kernel argument. The TurboMind rule needs g itself, which the FP16 G of the QPN2 rule does not give.
struct GlobalParts {
  static constexpr std::uint32_t limit = 8;
  std::uint32_t end[limit] = {};  ///< in tiles; those past the last part equal its end
  float g[limit] = {};
};

/// Neighbouring tiles with the same multiplier become one part. `globals` holds one multiplier for all
/// `tiles` tiles, or one per tile. Throws Refused when there are more than eight parts, or another number of
/// globals.
GlobalParts global_parts(std::span<const float> globals, std::uint32_t tiles);

/// Why a matrix of that many tiles cannot have these parts, or nothing when it can: the ends ascend to
/// `tiles`, and the multiplier of each part that has tiles is positive and finite.
std::optional<std::string> why_refused(const GlobalParts& parts, std::uint32_t tiles);

}  // namespace quadpair
