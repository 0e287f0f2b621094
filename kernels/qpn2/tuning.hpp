// The tunable choices of the QPN2 GEMMs, as a printable value.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
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

/// The choice for (K, padded N) on a target: the tuning table's for the production shapes; else the largest
/// S <= 16 that divides the K/16 groups, and C = 2. Where none divides them, native kernels, whose slices
/// may be uneven, take S = 8, and sm70 has none.
constexpr std::optional<Tuning> tuning_rule(std::uint32_t k, std::uint32_t padded_n, Target target,
                                            bool gated) {
  struct Shape {
    std::uint32_t k, padded_n;
    Tuning tuning;
  };
  constexpr Shape volta[] = {{1536, 5120, {8, 2}},
                             {4352, 5120, {16, 2}},
                             {5120, 3584, {16, 2}},
                             {5120, 4128, {16, 2}},
                             {5120, 8704, {8, 2}}};
  // Measured on an H200. One chain: a warp's several columns keep the matrix units busy.
  constexpr Shape native[] = {{1536, 5120, {12, 1}},
                              {4352, 5120, {12, 1}},
                              {5120, 3584, {16, 1}},
                              {5120, 4128, {16, 1}},
                              {5120, 8704, {8, 1}}};
  for (const Shape& shape : target == Target::sm70 ? volta : native)
    if (shape.k == k && shape.padded_n == padded_n && !(gated && shape.tuning.split_k == 12))
      return shape.tuning;
  for (const std::uint32_t split_k : {16u, 8u})
    if (k / 16 % split_k == 0) return Tuning{split_k, 2};
  if (target != Target::sm70) return Tuning{8, 2};
  return std::nullopt;
}

/// tuning_rule() for a caller who launches; throws Refused when there is none or K is not admitted.
Tuning tuned(std::uint32_t k, std::uint32_t padded_n, Target target, bool gated);

}  // namespace quadpair::qpn2
