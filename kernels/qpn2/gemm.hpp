// qpn2_gemm: y[M,N] = x[M,K] . W[N,K]^T with 4-bit weights in the QPN2 layout. The contract.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/common/launch.hpp"
#include "kernels/common/plan.hpp"
#include "kernels/qpn2/layout.hpp"
#include "kernels/qpn2/tuning.hpp"

namespace quadpair::qpn2 {

/// The FP16 number G = h(g . 2^14) of each 32-column tile: one for all by value, or an f16 [N/32] buffer.
struct GlobalScale {
  std::uint16_t value = 0;  ///< FP16 bits, used when `tiles` is 0
  DevicePtr tiles = 0;      ///< f16 [padded N / 32], or 0
};

/// Buffers on the device. x and y are FP16, row-major; leading dimensions in elements.
struct GemmArguments {
  std::uint32_t m = 0;  ///< rows of x and y, 0..64; 0 launches nothing
  std::uint32_t n = 0;  ///< logical output features; columns past n are never written
  std::uint32_t k = 0;  ///< input features
  CodeLayout layout = CodeLayout::qpn2;
  DevicePtr codes = 0;   ///< as `layout` says, 16-byte aligned
  DevicePtr scales = 0;  ///< u8 [padded N/32][K/16][32], 16-byte aligned
  GlobalScale global;
  DevicePtr x = 0;  ///< f16 [m, k], rows 16-byte aligned (ldx a multiple of 8)
  std::uint32_t ldx = 0;
  DevicePtr y = 0;  ///< f16 [m, n] with leading dimension ldy >= n (gated: n/2)
  std::uint32_t ldy = 0;

  /// sm90, elsewhere without effect: the kernel may start before the one ahead of it in the stream has ended,
  /// and reads weights while that still runs; it waits before it reads x or writes y. So the kernel ahead
  /// must not be writing codes, scales or global tiles.
  bool early_start = false;
};

/// Why (m, n, k) with this tuning is not admitted on the target, or nothing when it is. K % 64 == 0,
/// (K/16) % S == 0 on sm70 and K/64 >= 1 elsewhere, S in {8,16,32} (plain and native: 12 too), C in {1,2},
/// M <= 64.
std::optional<std::string> why_refused(std::uint32_t m, std::uint32_t n, std::uint32_t k, Tuning tuning,
                                       Target target, bool gated);

/// The order in which the target's kernel sums. sm70: the contract's own (units of one group, four steps of
/// 4 k, step q to chain q mod C). sm80, sm90: units of 64 k, step j sums k 4j..4j+3 of each of the unit's
/// four groups; slice w owns units [w.U/S, (w+1).U/S), uneven or empty where S does not divide U.
AccumulationPlan accumulation_plan(std::uint32_t k, Tuning tuning, Target target);

/// The launches that compute y. Throws Refused when the arguments are not admitted.
std::vector<Launch> gemm(const GemmArguments& arguments, Tuning tuning, Target target);

}  // namespace quadpair::qpn2
