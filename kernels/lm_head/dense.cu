// lm_head_dense: a warp takes four vocabulary rows and up to eight rows of x, so that a number of x is read
// and converted once for four products, and one of the head once for all rows.
// Entries: lm_head_dense_r<R>: R rows of x.
#include "kernels/lm_head/dot.cuh"

namespace quadpair::lm_head {

/// Rows [blockIdx.y Rows, + Rows) of x, vocabulary rows [4 w, 4 w + 4) of the grid's warp w.
template <int Rows>
__device__ __forceinline__ void dense(const u16* head, const u16* x, float* logits, u32 m, u32 n, u32 k,
                                      u32 ldx) {
  constexpr int words = 4;
  const u32 first_word = (blockIdx.x * 8 + warp_id()) * words, first_row = blockIdx.y * Rows;
  if (first_word >= n) return;
  const u16* of_head = head + static_cast<u64>(first_word) * k;
  const u16* of_x = x + static_cast<u64>(first_row) * ldx;
  float sums[Rows][words] = {};
#pragma unroll(Rows == 1 ? 2 : 1)
  for (u32 i = lane_id() * 8; i < k; i += 256) {
    float w[words][8];
#pragma unroll
    for (int word = 0; word < words; ++word)
      to_floats(load_once_v4_if(first_word + word < n, of_head + static_cast<u64>(word) * k + i), w[word]);
#pragma unroll
    for (int row = 0; row < Rows; ++row) {
      float a[8];
      to_floats(load_v4_if(first_row + row < m, of_x + static_cast<u64>(row) * ldx + i), a);
#pragma unroll
      for (int word = 0; word < words; ++word)
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[row][word] = __fmaf_rn(a[j], w[word][j], sums[row][word]);
    }
  }
#pragma unroll
  for (int row = 0; row < Rows; ++row)
#pragma unroll
    for (int word = 0; word < words; ++word) {
      const float sum = add_lanes(sums[row][word]);
      if (lane_id() == 0 && first_row + row < m && first_word + word < n)
        logits[static_cast<u64>(first_row + row) * n + first_word + word] = sum;
    }
}

}  // namespace quadpair::lm_head

#define LM_HEAD_DENSE(R)                                                                                    \
  extern "C" __global__ void __launch_bounds__(256)                                                         \
      lm_head_dense_r##R(const quadpair::u16* head, const quadpair::u16* x, float* logits, quadpair::u32 m, \
                         quadpair::u32 n, quadpair::u32 k, quadpair::u32 ldx) {                             \
    quadpair::lm_head::dense<R>(head, x, logits, m, n, k, ldx);                                             \
  }

LM_HEAD_DENSE(1)
LM_HEAD_DENSE(2)
LM_HEAD_DENSE(4)
LM_HEAD_DENSE(8)
