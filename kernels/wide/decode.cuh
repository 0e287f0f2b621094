// The TurboMind decode rule: s = h(f(e4m3) . g), w = h(e2m1 . s).
#pragma once

#include "kernels/common/e2m1.cuh"

namespace quadpair::wide {

/// s of two columns: `bytes` holds E4M3 scales in bits 0..7 and 16..23. A byte moved up by 7 is the FP16
/// number e4m3 . 2^-8, so the FP16 product with 256 is exact; preparation has refused NaN and sign.
__device__ __forceinline__ u32 restore_scales(u32 bytes, float g) {
  const u32 e4m3 = mul_half2(bytes << 7, 0x5C005C00u);
  const u16 low = to_half(__fmul_rn(to_float(static_cast<u16>(e4m3)), g));
  const u16 high = to_half(__fmul_rn(to_float(static_cast<u16>(e4m3 >> 16)), g));
  return low | static_cast<u32>(high) << 16;
}

/// Eight weights of one column: `codes` holds the physical nibbles of 8 consecutive k, `scale` is s twice.
/// weights[i] becomes {w[2i], w[2i+1]}. A placed code times 2^14 is e2m1, exactly, so only the product with s
/// rounds. (2^14 . s instead would overflow from s = 4.)
__device__ __forceinline__ void decode8(u32 codes, u32 scale, u32* weights) {
  place8(codes, weights);
#pragma unroll
  for (int i = 0; i < 4; ++i) weights[i] = mul_half2(mul_half2(weights[i], 0x74007400u), scale);
}

}  // namespace quadpair::wide
