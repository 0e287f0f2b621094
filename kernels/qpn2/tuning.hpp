// The tunable choices of the QPN2 GEMMs, as a printable value.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "kernels/common/target.hpp"

namespace quadpair::qpn2 {

/// S split-K warps and C accumulator chains. Both are part of the result's bits (see AccumulationPlan).
struct Tuning {
  std::uint32_t split_k = 8;  ///< S: 8, 16 or 32 (gated: 8 or 16; native plain: 12 too)
  std::uint32_t chains = 2;   ///< C: 1 or 2
  friend auto operator<=>(const Tuning&, const Tuning&) = default;
};

/// As it stands in a case id: "s16.c2".
inline std::string to_string(const Tuning& t) {
  std::string text = "s";  // appended piece by piece: GCC 12 warns falsely of "s" + std::string
  text += std::to_string(t.split_k);
  text += ".c";
  text += std::to_string(t.chains);
  return text;
}

/// The tuned choice for (K, padded N) on a target; an untuned shape takes the largest admissible S <= 16
/// and C = 2. Throws Refused when no S is admissible.
Tuning tuned(std::uint32_t k, std::uint32_t padded_n, Target target, bool gated);

}  // namespace quadpair::qpn2
