// silu and the product of the gated operator, in operations that are exact on every side.
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair {

/// exp(t), t in [-104, 104]: reduced by n ln 2 in two steps, a Taylor polynomial of degree 7, scaled by 2^n
/// in two exact halves so that subnormal and infinite results round once. The formula of
/// kernels/qpn2/gated.hpp.
__device__ __forceinline__ float exact_exp(float t) {
  const float shifted = __fmaf_rn(t, 0x1.715476p+0f, 0x1.8p+23f);
  const float n = __fsub_rn(shifted, 0x1.8p+23f);
  float r = __fmaf_rn(n, -0x1.62e400p-1f, t);
  r = __fmaf_rn(n, -0x1.7f7d1cp-20f, r);
  float p = 1.0f / 5040.0f;
  p = __fmaf_rn(p, r, 1.0f / 720.0f);
  p = __fmaf_rn(p, r, 1.0f / 120.0f);
  p = __fmaf_rn(p, r, 1.0f / 24.0f);
  p = __fmaf_rn(p, r, 1.0f / 6.0f);
  p = __fmaf_rn(p, r, 0.5f);
  p = __fmaf_rn(p, r, 1.0f);
  p = __fmaf_rn(p, r, 1.0f);
  const int power = __float_as_int(shifted) - 0x4B400000;  // the bits of 0x1.8p+23 + n
  const int half = power >> 1;
  const float first = __int_as_float((half + 127) << 23);
  const float second = __int_as_float((power - half + 127) << 23);
  return __fmul_rn(__fmul_rn(p, first), second);
}

/// h(silu(gate) . up), silu = h(x / (1 + exp(-x))).
__device__ __forceinline__ u16 gated_epilogue(u16 gate, u16 up) {
#ifdef QUADPAIR_DAMAGE_EXCHANGED_HALVES
  const u16 exchanged = gate;
  gate = up, up = exchanged;
#endif
  const float x = to_float(gate);
  const float t = fmaxf(fminf(-x, 104.0f), -104.0f);
  return mul_half(to_half(__fdiv_rn(x, __fadd_rn(1.0f, exact_exp(t)))), up);
}

}  // namespace quadpair
