// qpn2_gated: y[M,N/2] = silu(x . Wgate^T) * (x . Wup^T), one fused matrix, each half padded by itself. The
// contract.
#pragma once

#include <vector>

#include "kernels/qpn2/gemm.hpp"

namespace quadpair::qpn2 {

/// As gemm(), with a fused matrix: gate = rows [0, n/2), up = rows [n/2, n), each half padded to a multiple
/// of 32 rows by itself. Both products are summed as gemm()'s and rounded to FP16; then, per element,
///   silu = h( x / (1 + exp(-x)) ) of the FP16 gate in FP32,   y = h( silu . up ).
/// exp and the division are exact operations on both sides. With t = -x:
///   n = fma(t, 0x1.715476p+0, 0x1.8p+23) - 0x1.8p+23
///   r = fma(n, -0x1.62e400p-1, t);  r = fma(n, -0x1.7f7d1cp-20, r)
///   p = Horner with FMA over 1/7!, 1/6!, ..., 1/1!, 1 (each the nearest FP32)
///   exp = p . 2^a . 2^b with a = n >> 1 (arithmetic), b = n - a
/// t is first clamped to [-104, 104], so exp is 0 below and +Inf above. The division is IEEE, nearest even,
/// and keeps a NaN gate a NaN whatever exp gave. NaN results are 0x7FFF; silu(-Inf) = -Inf/Inf is NaN.
std::vector<Launch> gated(const GemmArguments& arguments, Tuning tuning, Target target);

}  // namespace quadpair::qpn2
