// The body of the sm70 kernels: a block computes one 32-column tile of each matrix and 8 RowBlocks rows, one
// warp per matrix and k-slice.
#pragma once

#include "kernels/qpn2/slice_m8n8k4.cuh"

namespace quadpair::qpn2 {

/// `Shared`: codes in TurboMind's layout. Stores finish(sums), `sums` being an element of each matrix as
/// FP16.
template <int Matrices, int Slices, int Chains, int RowBlocks, bool Shared, class Finish>
__device__ __forceinline__ void product(const Operands& operands, Finish finish) {
  constexpr int warps = Matrices * Slices;
  constexpr int pass = warps * RowBlocks <= 32 ? RowBlocks : 32 / warps;  // row blocks: at most 32 KiB
  __shared__ float partial[pass][Matrices][Slices][partial_elements];

  const u32 first_row = blockIdx.y * (8 * RowBlocks);
  const u32 matrix = Matrices == 1 ? 0 : warp_id() / Slices;
  const u32 slice_index = Matrices == 1 ? warp_id() : warp_id() % Slices;

  Slice<Chains, RowBlocks, warps * 32, Shared> slice;
  slice.accumulate(operands.weights.tile(blockIdx.x + matrix * operands.weights.tiles),
                   operands.rows_from(first_row), operands.weights.k, slice_index, Slices);

#pragma unroll
  for (int block = 0; block < RowBlocks; block += pass) {
    if (block > 0) __syncthreads();  // the sums of the pass before are read, and may be replaced
#pragma unroll
    for (int i = 0; i < pass; ++i) slice.store(block + i, partial[i][matrix][slice_index]);
#ifndef QUADPAIR_DAMAGE_DROPPED_BARRIER
    __syncthreads();  // every warp's sums are stored before any is read
#endif
    for (u32 element = threadIdx.x; element < pass * partial_elements; element += warps * 32) {
      const u32 i = element / partial_elements, row = element / 32 % 8, column = element % 32;
      u16 sums[Matrices];
#pragma unroll
      for (int half = 0; half < Matrices; ++half)
        sums[half] = to_half(sum_slices<Slices>(partial[i][half][0], row, column));
      operands.store(first_row + 8 * (block + i) + row, blockIdx.x * 32 + column, finish(sums));
    }
  }
}

}  // namespace quadpair::qpn2
