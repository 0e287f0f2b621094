// Keys of a thread block in shared memory, sorted.
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair::lm_head {

/// Sorts `count` keys, a power of two from 64, descending (a bitonic network), by all threads of the block,
/// whose number is a multiple of 32. Keys must have been written, and may be read afterwards, without a
/// barrier of the caller.
template <class Key>
__device__ __forceinline__ void sort_descending(Key* keys, u32 count) {
  __syncthreads();  // the keys of all threads are written
  for (u32 sorted = 2; sorted <= count; sorted *= 2) {
    for (u32 distance = sorted / 2; distance > 0; distance /= 2) {
      for (u32 pair = threadIdx.x; pair < count / 2; pair += blockDim.x) {
        const u32 low = 2 * pair - (pair & (distance - 1)), high = low + distance;
        const Key a = keys[low], b = keys[high];
        if ((a < b) == ((low & sorted) == 0)) keys[low] = b, keys[high] = a;
      }
      // At distances up to 32 a warp pairs the keys of 64 places, always the same ones, among themselves.
      const u32 next = distance > 1 ? distance / 2 : sorted;
      if (distance > 32 || next > 32)
        __syncthreads();  // the next step reads what other warps have written
      else
        __syncwarp();  // ... what other lanes have written
    }
  }
}

}  // namespace quadpair::lm_head
