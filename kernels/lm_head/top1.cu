// lm_head_top1: FP16 logits by qpn8's product over the packed head, then the first maximum, a block a row.
#include "kernels/lm_head/order.cuh"
#include "kernels/lm_head/weights.cuh"
#include "kernels/qpn8/product.cuh"

extern "C" __global__ void __launch_bounds__(256)
    lm_head_top1_logits(const quadpair::u8* packed, const quadpair::u16* x, quadpair::u16* logits,
                        quadpair::u32 m, quadpair::u32 n, quadpair::u32 k, quadpair::u32 ldx,
                        quadpair::u32 ld) {
  quadpair::qpn8::product<8, 1, 1>(quadpair::lm_head::Weights{packed, (n + 31) / 32, k},
                                   {x, logits, m, n, ldx, ld});
}

namespace quadpair::lm_head {

__device__ __forceinline__ u64 key_of(u32 bits, u32 id) {
  return static_cast<u64>(order_of_half(bits)) << 32 | order_of_id(id, 0xFFFFFFFF);
}

__device__ __forceinline__ u64 greatest_of_warp(u64 key) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    key = max(key, __shfl_xor_sync(0xFFFFFFFFu, key, distance));
  return key;
}

}  // namespace quadpair::lm_head

/// Grid m. logits is f16 [m, ld].
extern "C" __global__ void __launch_bounds__(1024)
    lm_head_first_maximum(const quadpair::u16* logits, quadpair::u16* values, quadpair::u32* ids,
                          quadpair::u32 n, quadpair::u32 ld, quadpair::u32 first_id) {
  using namespace quadpair;
  using namespace quadpair::lm_head;
  __shared__ u64 of_warps[32];
  const u16* row = logits + static_cast<u64>(blockIdx.x) * ld;
  const u32 whole = n / 8 * 8;
  u64 best = threadIdx.x < n % 8 ? key_of(row[whole + threadIdx.x], whole + threadIdx.x) : 0;
#pragma unroll 4
  for (u32 first = threadIdx.x * 8; first < whole; first += 1024 * 8) {
    const uint4 eight = load_once_v4_if(true, row + first);
    const u32 words[4] = {eight.x, eight.y, eight.z, eight.w};
#pragma unroll
    for (u32 i = 0; i < 8; ++i) best = max(best, key_of(words[i / 2] >> (16 * (i % 2)) & 0xFFFF, first + i));
  }
  best = greatest_of_warp(best);
  if (lane_id() == 0) of_warps[warp_id()] = best;
  __syncthreads();  // every warp's best is written
  if (warp_id() != 0) return;
  best = greatest_of_warp(of_warps[lane_id()]);
  if (lane_id() != 0) return;
  const u32 id = order_of_id(static_cast<u32>(best), 0xFFFFFFFF);
  const u32 order = static_cast<u32>(best >> 32);
  values[blockIdx.x] = order == 0xFFFF ? 0x7FFF : row[id];
  ids[blockIdx.x] = first_id + id;
}
