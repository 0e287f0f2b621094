// One matrix instruction a warp, its operands from rows: see mma.hpp for where a row lies in the products.
#include "kernels/common/device.cuh"

namespace quadpair::probe {

/// Word `index` of a row of `Words` words (a, then b: two FP16 numbers a word), 0 past the last row.
template <int Words>
__device__ __forceinline__ u32 operand(const u32* operands, u32 row, u32 rows, u32 index) {
  return row < rows ? operands[static_cast<u64>(row) * Words + index] : 0;
}

/// Accumulators of zeros but for row's c at `place`, which no element has where the lane holds none.
template <int Count>
__device__ __forceinline__ void load_c(float (&d)[Count], const float* c, u32 row, u32 rows, u32 place) {
  const float value = row < rows && place < Count ? c[row] : 0.0f;
#pragma unroll
  for (int i = 0; i < Count; ++i) d[i] = i == place ? value : 0.0f;
}

template <int Count>
__device__ __forceinline__ void store_d(float* out, const float (&d)[Count], u32 row, u32 rows, u32 place) {
#pragma unroll
  for (int i = 0; i < Count; ++i)
    if (i == place && row < rows) out[row] = d[i];
}

/// m16n8kK: the lanes of group g hold row g of A, column g of B and row g of D, two columns each.
struct Group {
  u32 row, thread, place;
  __device__ __forceinline__ Group() {
    const u32 group = lane_id() / 4;
    row = (blockIdx.x * 4 + warp_id()) * 8 + group;
    thread = lane_id() % 4;
    place = thread == group / 2 ? group % 2 : 4;
  }
};

}  // namespace quadpair::probe

/// A lane holds row r of A, column r of B and element (r, r) of D, r = lane % 4 + 4 (lane / 16), of the
/// product of its quad-pair.
extern "C" __global__ void __launch_bounds__(128)
    probe_m8n8k4(const quadpair::u32* operands, const float* c, float* d, quadpair::u32 rows) {
  using namespace quadpair;
  const u32 lane = lane_id(), row = blockIdx.x * 128 + threadIdx.x;
  const u32 place = lane % 4 + lane / 16 * 4;
  u32 words[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) words[i] = probe::operand<4>(operands, row, rows, i);
  float sums[8];
  probe::load_c(sums, c, row, rows, place);
  mma_m8n8k4(sums, words[0], words[1], words[2], words[3]);
  probe::store_d(d, sums, row, rows, place);
}

#if __CUDA_ARCH__ >= 800
extern "C" __global__ void __launch_bounds__(128)
    probe_m16n8k8(const quadpair::u32* operands, const float* c, float* d, quadpair::u32 rows) {
  using namespace quadpair;
  const probe::Group g;
  const u32 a = probe::operand<8>(operands, g.row, rows, g.thread);
  const u32 b = probe::operand<8>(operands, g.row, rows, 4 + g.thread);
  float sums[4];
  probe::load_c(sums, c, g.row, rows, g.place);
  mma_m16n8k8(sums, a, 0, b);
  probe::store_d(d, sums, g.row, rows, g.place);
}

extern "C" __global__ void __launch_bounds__(128)
    probe_m16n8k16(const quadpair::u32* operands, const float* c, float* d, quadpair::u32 rows) {
  using namespace quadpair;
  const probe::Group g;
  const u32 a0 = probe::operand<16>(operands, g.row, rows, g.thread);
  const u32 a1 = probe::operand<16>(operands, g.row, rows, 4 + g.thread);
  const u32 b0 = probe::operand<16>(operands, g.row, rows, 8 + g.thread);
  const u32 b1 = probe::operand<16>(operands, g.row, rows, 12 + g.thread);
  float sums[4];
  probe::load_c(sums, c, g.row, rows, g.place);
  mma_m16n8k16(sums, a0, 0, a1, 0, b0, b1);
  probe::store_d(d, sums, g.row, rows, g.place);
}
#endif
