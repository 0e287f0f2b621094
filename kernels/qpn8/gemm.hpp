// qpn8_gemm: y[M,N] = x[M,K] . W[N,K]^T with FP8 weights in the QPN8 layout. The contract.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/common/launch.hpp"
#include "kernels/common/plan.hpp"
#include "kernels/qpn2/tuning.hpp"
#include "kernels/qpn8/layout.hpp"

namespace quadpair::qpn8 {

using qpn2::Tuning;

inline constexpr std::uint32_t rows_of_launch = 16;

/// Buffers on the device. A weight is w = h((e4m3 . 2^-8) . h(scale . 256)).
struct GemmArguments {
  std::uint32_t m = 0;  ///< rows of x and y; 0 launches nothing, above 16 there are several launches
  std::uint32_t n = 0;  ///< logical output features; columns past n are never written
  std::uint32_t k = 0;  ///< a multiple of 64; of 128 with block scales
  DevicePtr codes = 0;  ///< u8 [padded N/32][K/16][32][16], 16-byte aligned
  ScaleKind kind = ScaleKind::channel;
  DevicePtr scales = 0;  ///< as `kind` says, 2-byte aligned
  DevicePtr x = 0;       ///< f16 [m, k], rows 16-byte aligned (ldx a multiple of 8)
  std::uint32_t ldx = 0;
  DevicePtr y = 0;  ///< f16 [m, n] with leading dimension ldy >= n
  std::uint32_t ldy = 0;
};

/// Why (n, k) with this tuning is not admitted, or nothing when it is: as qpn2_gemm's rules, S in {8,16,32};
/// k a multiple of 128 with block scales.
std::optional<std::string> why_refused(std::uint32_t n, std::uint32_t k, ScaleKind kind, Tuning tuning,
                                       Target target);

/// The order of sums is qpn2_gemm's: qpn2::accumulation_plan(k, tuning, target).
AccumulationPlan accumulation_plan(std::uint32_t k, Tuning tuning, Target target);

/// The largest S <= 16 that is admitted, and C = 2: native kernels' slices may be uneven, sm70's divide the
/// K/16 groups. Nothing where there is none.
constexpr std::optional<Tuning> tuning_rule(std::uint32_t k, Target target) {
  for (const std::uint32_t split_k : {16u, 8u})
    if (target != Target::sm70 || k / 16 % split_k == 0) return Tuning{split_k, 2};
  return std::nullopt;
}

/// tuning_rule() for a caller who launches; throws Refused when there is none or K is not admitted.
Tuning tuned(std::uint32_t k, Target target);

/// The launches that compute y. Throws Refused when the arguments are not admitted.
std::vector<Launch> gemm(const GemmArguments& arguments, Tuning tuning, Target target);

}  // namespace quadpair::qpn8
