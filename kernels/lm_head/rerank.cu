// lm_head_rerank: exact logits of the candidates, a warp each, then the best of them, a block a row.
#include "kernels/lm_head/dot.cuh"
#include "kernels/lm_head/order.cuh"
#include "kernels/lm_head/sort.cuh"

/// Grid (candidates / 2, m), 2 warps. candidates is u32 [m][count], scores f32 [m][count].
extern "C" __global__ void __launch_bounds__(64)
    lm_head_score(const quadpair::u16* head, const quadpair::u16* x, const quadpair::u32* candidates,
                  float* scores, quadpair::u32 count, quadpair::u32 k, quadpair::u32 ldx) {
  using namespace quadpair;
  const u64 place = static_cast<u64>(blockIdx.y) * count + blockIdx.x * 2 + warp_id();
  const u32 candidate = candidates[place];
  if (candidate == 0xFFFFFFFF) return;
  const u16* of_head = head + static_cast<u64>(candidate) * k;
  const u16* of_x = x + static_cast<u64>(blockIdx.y) * ldx;
  float sum = 0;
#pragma unroll 4
  for (u32 i = lane_id() * 8; i < k; i += 256) {
    float w[8], a[8];
    lm_head::to_floats(load_once_v4_if(true, of_head + i), w);
    lm_head::to_floats(load_v4_if(true, of_x + i), a);
#pragma unroll
    for (int j = 0; j < 8; ++j) sum = __fmaf_rn(a[j], w[j], sum);
  }
  sum = lm_head::add_lanes(sum);
  if (lane_id() == 0) scores[place] = sum;
}

/// Grid m, 256 threads, `padded` (a power of two from 64, at least count) keys of 8 bytes in shared memory.
extern "C" __global__ void __launch_bounds__(256)
    lm_head_top(const quadpair::u32* candidates, const float* scores, float* values, quadpair::u32* ids,
                quadpair::u32 count, quadpair::u32 padded, quadpair::u32 top, quadpair::u32 first_id) {
  using namespace quadpair;
  extern __shared__ __align__(16) u64 keys[];
  for (u32 i = threadIdx.x; i < padded; i += 256) {
    u64 key = 0;  // of an absent candidate: the order of no number
    if (i < count) {
      const u64 place = static_cast<u64>(blockIdx.x) * count + i;
      const u32 candidate = candidates[place];
      if (candidate != 0xFFFFFFFF)
        key = static_cast<u64>(lm_head::order_of_float(scores[place])) << 32 |
              lm_head::order_of_id(candidate, 0xFFFFFFFF);
    }
    keys[i] = key;
  }
  lm_head::sort_descending(keys, padded);
  if (threadIdx.x < top) {
    const u64 key = keys[threadIdx.x];
    const u32 order = static_cast<u32>(key >> 32);
    // Back from the order to the number. A sum of products from +0.0 is never -0.
    const u32 bits = order == 0 || order == 0xFFFFFFFF ? 0x7FFFFFFF
                     : order >= 0x80000000u            ? order - 0x80000000u
                                                       : 0x80000000u + (0x80000000u - order);
    const u64 to = static_cast<u64>(blockIdx.x) * top + threadIdx.x;
    values[to] = __uint_as_float(bits);
    ids[to] = key == 0 ? 0xFFFFFFFF : first_id + lm_head::order_of_id(static_cast<u32>(key), 0xFFFFFFFF);
  }
}
