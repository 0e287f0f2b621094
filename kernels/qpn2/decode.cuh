// The QPN2 decode rule: s = h(h(e4m3) . G), w = h((e2m1 . 2^-14) . s). Every product is one FP16 multiply.
#pragma once

#include "kernels/common/e2m1.cuh"

namespace quadpair::qpn2 {

/// s of two columns: `bytes` holds E4M3 scales in bits 0..7 and 16..23, `global` is G twice.
/// A byte moved up by 7 is the FP16 number e4m3 . 2^-8, exactly; preparation has refused NaN and sign.
__device__ __forceinline__ u32 block_scales(u32 bytes, u32 global) {
  return mul_half2(mul_half2(bytes << 7, 0x5C005C00u), global);
}

/// Eight weights of one column: `codes` holds the physical nibbles of 8 consecutive k, `scale` is s twice.
/// weights[i] becomes {w[2i], w[2i+1]}.
__device__ __forceinline__ void decode8(u32 codes, u32 scale, u32* weights) {
  place8(codes, weights);
#pragma unroll
  for (int i = 0; i < 4; ++i) weights[i] = mul_half2(weights[i], scale);
}

}  // namespace quadpair::qpn2
