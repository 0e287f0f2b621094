// The body of the native kernels: see block_m16n8k16.cuh.
#pragma once

#include "kernels/qpn2/block_m16n8k16.cuh"

namespace quadpair::qpn2 {

/// `Shared`: codes in TurboMind's layout. Stores finish(sums), `sums` being an element of each matrix as
/// FP16.
template <int Matrices, int Slices, int Chains, int RowBlocks, int Quarters, bool Shared, class Finish>
__device__ __forceinline__ void product(const Operands& operands, Finish finish) {
  extern __shared__ __align__(16) float partial[];
  let_next_kernel_start();

  using Block = Block<Matrices, Quarters, Slices, Chains, RowBlocks, Shared>;
  const u32 first_row = blockIdx.y * (8 * RowBlocks);
  Block block;
  block.accumulate(operands.weights, operands.rows_from(first_row));
  block.store(partial);
#ifndef QUADPAIR_DAMAGE_DROPPED_BARRIER
  __syncthreads();
#endif
#pragma unroll
  for (u32 element = threadIdx.x; element < RowBlocks * Block::columns * 8; element += Slices * 32) {
    const u32 row = element % 8, place = element / 8 % Block::columns,
              row_block = element / 8 / Block::columns;
    u16 sums[Matrices];
#pragma unroll
    for (int matrix = 0; matrix < Matrices; ++matrix)
      sums[matrix] = to_half(Block::sum_slices(partial, row_block, matrix, place, row));
    operands.store(first_row + 8 * row_block + row, Block::column_of_place(place), finish(sums));
  }
}

}  // namespace quadpair::qpn2
