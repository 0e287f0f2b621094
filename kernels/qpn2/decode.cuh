// The QPN2 decode rule: s = h(h(e4m3) . G), w = h((e2m1 . 2^-14) . s). Every product is one FP16 multiply.
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair::qpn2 {

/// s of two columns: `bytes` holds E4M3 scales in bits 0..7 and 16..23, `global` is G twice.
/// A byte moved up by 7 is the FP16 number e4m3 . 2^-8, exactly; preparation has refused NaN and sign.
__device__ __forceinline__ u32 block_scales(u32 bytes, u32 global) {
  return mul_half2(mul_half2(bytes << 7, 0x5C005C00u), global);
}

/// Eight weights of one column: `codes` holds the physical nibbles of 8 consecutive k, `scale` is s twice.
/// weights[i] becomes {w[2i], w[2i+1]}: nibbles i and i + 4.
__device__ __forceinline__ void decode8(u32 codes, u32 scale, u32* weights) {
  // A code s e e m is the FP16 number e2m1 . 2^-14 once s stands in bit 15 and e e m in bits 11..9. Both
  // nibbles of every byte are spread at once; the shifts by 8 then bring the low bytes into place.
#ifdef QUADPAIR_DAMAGE_WRONG_SHIFT
  const u32 odd = select_bits(codes, codes >> 2, 0x80808080u);
#else
  const u32 odd = select_bits(codes, codes >> 3, 0x80808080u);
#endif
  const u32 even = select_bits(codes << 4, codes << 1, 0x80808080u);
  constexpr u32 number = 0x8E008E00u;
  weights[0] = mul_half2((even << 8) & number, scale);
  weights[1] = mul_half2((odd << 8) & number, scale);
  weights[2] = mul_half2(even & number, scale);
  weights[3] = mul_half2(odd & number, scale);
}

}  // namespace quadpair::qpn2
