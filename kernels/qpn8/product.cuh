// The body of kernels over weights of one byte or two: a block computes a 32-column tile for 8 RowBlocks
// rows, one warp a k-slice.
#pragma once

#if __CUDA_ARCH__ >= 800
#include "kernels/qpn8/slice_m16n8k16.cuh"
#else
#include "kernels/qpn8/slice_m8n8k4.cuh"
#endif

namespace quadpair::qpn8 {

/// y[m, n] = h(x[m, k] . weights^T); elements past the matrix are dropped.
struct Output {
  const u16* x;
  u16* y;
  u32 m, n, ldx, ldy;
};

template <int Slices, int Chains, int RowBlocks, class Weights>
__device__ __forceinline__ void product(const Weights& weights, const Output& out) {
  __shared__ float partial[RowBlocks][Slices][qpn2::partial_elements];
  const u32 first_row = blockIdx.y * (8 * RowBlocks);
  Slice<Weights, Slices, Chains, RowBlocks> slice;
  slice.accumulate(weights, blockIdx.x,
                   {out.x + static_cast<u64>(first_row) * out.ldx, out.ldx, out.m - first_row}, warp_id());
#pragma unroll
  for (int block = 0; block < RowBlocks; ++block) slice.store(block, partial[block][warp_id()]);
#ifndef QUADPAIR_DAMAGE_DROPPED_BARRIER
  __syncthreads();  // every slice's sums are stored before any is read
#endif
  for (u32 element = threadIdx.x; element < RowBlocks * qpn2::partial_elements; element += Slices * 32) {
    const u32 block = element / qpn2::partial_elements, row = element / 32 % 8, column = element % 32;
    const u16 value = to_half(qpn2::sum_slices<Slices>(partial[block][0], row, column));
    const u32 y_row = first_row + 8 * block + row, y_column = blockIdx.x * 32 + column;
    if (y_row < out.m && y_column < out.n) out.y[static_cast<u64>(y_row) * out.ldy + y_column] = value;
  }
}

}  // namespace quadpair::qpn8
