// The selection of lm_head_screen: the 64 best of a chunk, exactly, by one block a row and chunk.
//
// A logit's key is its order, then the lower id: 32 bits, all different. Of the threads' best keys the 64th
// best is a threshold: at least 64 keys reach it, and only the 64 threads whose best does can hold such keys,
// so at most 64 x 64 do, and nearly always far fewer. Those threads alone read their logits again, and those
// keys alone are sorted.
#include "kernels/lm_head/order.cuh"
#include "kernels/lm_head/sort.cuh"

namespace quadpair::lm_head {

constexpr u32 chunk_rows = 62080, threads = 1024, vectors = (chunk_rows / 8 + threads - 1) / threads;
constexpr u32 most_survivors = 64 * vectors * 8;

/// Where the thread's vector `v` of eight logits begins in its chunk.
__device__ __forceinline__ u32 first_of(u32 v) {
  return (v * threads + threadIdx.x) * 8;
}

__device__ __forceinline__ uint4 vector_of(const u16* chunk, u32 v, u32 count) {
  return load_v4_if(first_of(v) < count / 8 * 8, chunk + first_of(v));
}

__device__ __forceinline__ u32 key_of(u32 bits, u32 place) {
  return order_of_half(bits) << 16 | order_of_id(place, 0xFFFF);
}

/// Key of logit `i` (0..7) of the thread's vector `v`; 0 past the chunk's last whole vector.
__device__ __forceinline__ u32 key_of(const uint4& logits, int i, u32 v, u32 count) {
  const u32 word = i < 2 ? logits.x : i < 4 ? logits.y : i < 6 ? logits.z : logits.w;
  const u32 key = key_of(i % 2 == 0 ? word & 0xFFFF : word >> 16, first_of(v) + i);
  return first_of(v) < count / 8 * 8 ? key : 0;
}

/// Key of the one logit after the whole vectors that falls to this thread, or 0: to the last threads, which
/// have a vector less than the first ones.
__device__ __forceinline__ u32 key_after_vectors(const u16* chunk, u32 count) {
  const u32 place = count / 8 * 8 + (threads - 1 - threadIdx.x);
  return place < count ? key_of(chunk[place], place) : 0;
}

__device__ __forceinline__ u32 best_of(const uint4& logits, u32 v, u32 count) {
  u32 best = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) best = max(best, key_of(logits, i, v, count));
  return best;
}

/// The sum of `value` over the threads before this one, and over all.
__device__ __forceinline__ u32 sum_before(u32 value, u32* of_warps, u32& all) {
  u32 sum = value;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const u32 other = __shfl_up_sync(0xFFFFFFFFu, sum, distance);
    if (lane_id() >= distance) sum += other;
  }
  if (lane_id() == 31) of_warps[warp_id()] = sum;
  __syncthreads();  // the sums of all warps are written
  u32 before = sum - value;
  all = 0;
#pragma unroll
  for (u32 warp = 0; warp < threads / 32; ++warp) {
    if (warp < warp_id()) before += of_warps[warp];
    all += of_warps[warp];
  }
  return before;
}

}  // namespace quadpair::lm_head

/// Grid (chunks, m). logits is f16 [m, ld], candidates u32 [m][chunks][64].
extern "C" __global__ void __launch_bounds__(1024)
    lm_head_select(const quadpair::u16* logits, quadpair::u32* candidates, quadpair::u32 n,
                   quadpair::u32 ld) {
  using namespace quadpair;
  using namespace quadpair::lm_head;
  __shared__ u32 keys[most_survivors];
  __shared__ u32 of_warps[threads / 32];
  const u32 chunk_first = blockIdx.x * chunk_rows, count = min(n - chunk_first, chunk_rows);
  const u16* chunk = logits + static_cast<u64>(blockIdx.y) * ld + chunk_first;

  const u32 after_vectors = key_after_vectors(chunk, count);
  u32 best = after_vectors;
#pragma unroll
  for (u32 v = 0; v < vectors; ++v) best = max(best, best_of(vector_of(chunk, v, count), v, count));
  keys[threadIdx.x] = best;
  sort_descending(keys, threads);
  // Where fewer than 64 threads have a key the threshold is 0, and every key passes; absent ones never do.
  const u32 threshold = max(keys[63], 1u);

  u32 mine = after_vectors >= threshold ? 1 : 0;
  if (best >= threshold)
    for (u32 v = 0; v < vectors; ++v) {
      const uint4 logits_of = vector_of(chunk, v, count);
#pragma unroll
      for (int i = 0; i < 8; ++i) mine += key_of(logits_of, i, v, count) >= threshold ? 1 : 0;
    }
  u32 survivors;
  u32 place = sum_before(mine, of_warps, survivors);  // its barrier: all have read the threshold
  if (after_vectors >= threshold) keys[place++] = after_vectors;
  if (mine > 0)
    for (u32 v = 0; v < vectors; ++v) {
      const uint4 logits_of = vector_of(chunk, v, count);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const u32 key = key_of(logits_of, i, v, count);
        if (key >= threshold) keys[place++] = key;
      }
    }
  u32 padded = 64;
  while (padded < survivors) padded *= 2;
  for (u32 i = survivors + threadIdx.x; i < padded; i += threads) keys[i] = 0;
  sort_descending(keys, padded);
  if (threadIdx.x < 64) {
    const u32 key = keys[threadIdx.x];
    candidates[(static_cast<u64>(blockIdx.y) * gridDim.x + blockIdx.x) * 64 + threadIdx.x] =
        key == 0 ? 0xFFFFFFFF : chunk_first + order_of_id(key & 0xFFFF, 0xFFFF);
  }
}
