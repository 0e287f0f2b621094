// tm_gemm: y[M,N] = x[M,K] . W[N,K]^T over TurboMind codes, for any number of rows. The contract.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/common/global_parts.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/common/plan.hpp"

namespace quadpair::wide {

/// The choices of a wide GEMM. Only `slices` is part of the result's bits.
struct Tuning {
  std::uint32_t rows = 64;      ///< of x in one thread block's tile
  std::uint32_t columns = 128;  ///< of y in it
  std::uint32_t slices = 1;     ///< of k, summed side by side in one block
  bool wgmma = false;           ///< multiplied by warpgroups (sm90), in one slice
  friend auto operator<=>(const Tuning&, const Tuning&) = default;
};

/// "64x128.s1", "128x192.wgmma"
std::string to_string(const Tuning& tuning);
/// The inverse; nothing for any other text.
std::optional<Tuning> tuning_from_string(const std::string& text);

/// Where tm_gemm takes its block scales from; all give the same bits.
enum class Scales {
  persistent,  ///< f16 [K/16][padded N], h(f(e4m3) . g)
  compact      ///< QPN2's u8 [padded N/32][K/16][32], restored in registers with the parts' g
};

/// Buffers on the device. x and y are FP16, row-major; leading dimensions in elements.
struct TmGemmArguments {
  std::uint32_t m = 0;  ///< rows of x and y; 0 launches nothing
  std::uint32_t n = 0;  ///< columns of y that are written; columns past n never are
  std::uint32_t k = 0;  ///< a positive multiple of 64
  DevicePtr codes = 0;  ///< u32 [padded N/32][K/8][32], 16-byte aligned
  Scales kind = Scales::persistent;
  DevicePtr scales = 0;  ///< as `kind` says, 16-byte aligned
  GlobalParts globals;   ///< read for compact scales only
  DevicePtr x = 0;       ///< f16 [m, k], rows 16-byte aligned (ldx a multiple of 8)
  std::uint32_t ldx = 0;
  DevicePtr y = 0;  ///< f16 [m, n] with leading dimension ldy >= n
  std::uint32_t ldy = 0;
};

/// The tuning for (M, padded N, K) on a target: a table of what was measured, with a rule for other shapes.
/// It is the same for persistent and compact scales, which so give the same bits.
Tuning tuned(std::uint32_t m, std::uint32_t padded_n, std::uint32_t k, Target target);

/// The order in which the target's kernel sums. sm70: ascending k in steps of 4, one chain, one slice. sm80,
/// sm90: units of 64 k, step j sums k 4j..4j+3 of each of the unit's four groups, one chain; slice w owns
/// units [w.U/S, (w+1).U/S).
AccumulationPlan accumulation_plan(std::uint32_t k, Tuning tuning, Target target);

/// Why (n, k) with this tuning is not admitted, or nothing when it is.
std::optional<std::string> why_refused(std::uint32_t n, std::uint32_t k, Tuning tuning, Target target);

/// The launches that compute y. Throws Refused when the arguments are not admitted.
std::vector<Launch> tm_gemm(const TmGemmArguments& arguments, Tuning tuning, Target target);

}  // namespace quadpair::wide
