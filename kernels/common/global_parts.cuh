// GlobalParts (global_parts.hpp) as a kernel argument.
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair {

struct GlobalParts {
  static constexpr int limit = 8;
  u32 end[limit];
  float g[limit];

  __device__ __forceinline__ float of_tile(u32 tile) const {
    float result = g[0];
#pragma unroll
    for (int i = 1; i < limit; ++i)
      if (tile >= end[i - 1]) result = g[i];
    return result;
  }
};

}  // namespace quadpair
