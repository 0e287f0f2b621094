// The order of candidates as the order of unsigned integers: greater stands first.
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair::lm_head {

/// Ties go to the lowest id: greater for a lower one of `most` + 1 ids, and back from there to the id.
__device__ __forceinline__ u32 order_of_id(u32 id, u32 most) {
#ifdef QUADPAIR_DAMAGE_HIGHEST_ID
  return id;
#else
  return most - id;
#endif
}

/// Of an FP16 number: NaN 0xFFFF, then by value, both zeros alike. Never 0.
__device__ __forceinline__ u32 order_of_half(u32 bits) {
  const u32 magnitude = bits & 0x7FFF;
  const u32 number = bits & 0x8000 ? 0x8000 - magnitude : 0x8000 + magnitude;
  return magnitude > 0x7C00 ? 0xFFFF : number;
}

/// Of an FP32 number: NaN 0xFFFFFFFF, then by value, both zeros alike.
__device__ __forceinline__ u32 order_of_float(float x) {
  const u32 bits = __float_as_uint(x), magnitude = bits & 0x7FFFFFFF;
  const u32 number = bits >> 31 ? 0x80000000u - magnitude : 0x80000000u + magnitude;
  return magnitude > 0x7F800000 ? 0xFFFFFFFF : number;
}

}  // namespace quadpair::lm_head
