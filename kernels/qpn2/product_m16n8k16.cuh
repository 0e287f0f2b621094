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
  using Sums = typename Block::Sums;
  const u32 first_row = blockIdx.y * (8 * RowBlocks);
  Block block;
  block.accumulate(operands.weights, operands.rows_from(first_row));
  block.store(partial);
#ifndef QUADPAIR_DAMAGE_DROPPED_BARRIER
  __syncthreads();  // every slice's sums are stored before any is read
#endif
#pragma unroll
  for (u32 index = threadIdx.x; index < Sums::spans; index += Slices * 32) {
    const auto span = Sums::span(index);
    Halves<Sums::width> sums[Matrices], results;
#pragma unroll
    for (int matrix = 0; matrix < Matrices; ++matrix) sums[matrix] = Sums::sum_slices(partial, span, matrix);
#pragma unroll
    for (int i = 0; i < Sums::width; ++i) {
      u16 elements[Matrices];
#pragma unroll
      for (int matrix = 0; matrix < Matrices; ++matrix) elements[matrix] = sums[matrix].of[i];
      results.of[i] = finish(elements);
    }
    operands.store(first_row + span.row, span.column, results);
  }
}

}  // namespace quadpair::qpn2
