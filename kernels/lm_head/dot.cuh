// Dot products of FP16 rows in the order of DotPlan (kernels/common/dot_plan.hpp).
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair::lm_head {

/// The numbers of eight k.
__device__ __forceinline__ void to_floats(uint4 halves, float (&numbers)[8]) {
  const u32 words[4] = {halves.x, halves.y, halves.z, halves.w};
#pragma unroll
  for (int i = 0; i < 8; ++i) numbers[i] = to_float(static_cast<u16>(words[i / 2] >> (16 * (i % 2))));
}

/// The sum of the lanes, in every lane.
__device__ __forceinline__ float add_lanes(float sum) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    sum = __fadd_rn(sum, __shfl_xor_sync(0xFFFFFFFFu, sum, distance));
  return sum;
}

}  // namespace quadpair::lm_head
