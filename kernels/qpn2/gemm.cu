// qpn2_gemm. sm70: one block per 32-column tile and 8 RowBlocks rows, one warp per k-slice. Native: see
// block_m16n8k16.cuh.
// Entries: qpn2_gemm_s<S>_c<C>_r<R>, native _q<Q> too: S slices, C chains, R row blocks of 8 rows, Q quarters
// of a tile that a block computes. An R that would spill is left out, and more blocks do the work.
#if __CUDA_ARCH__ >= 800
#include "kernels/qpn2/block_m16n8k16.cuh"
#else
#include "kernels/qpn2/slice_m8n8k4.cuh"
#endif

namespace quadpair::qpn2 {

#if __CUDA_ARCH__ >= 800

template <int Slices, int Chains, int RowBlocks, int Quarters>
__device__ __forceinline__ void gemm(const u8* codes, const u8* scales, const u16* global_tiles, const u16* x,
                                     u16* y, u32 m, u32 n, u32 k, u32 ldx, u32 ldy, u16 global_value) {
  extern __shared__ __align__(16) float partial[];
  let_next_kernel_start();

  using Block = Block<1, Quarters, Slices, Chains, RowBlocks>;
  const u32 first_row = blockIdx.y * (8 * RowBlocks);
  const Rows rows{x + static_cast<u64>(first_row) * ldx, ldx, m - first_row};
  Block block;
  block.accumulate({codes, scales, global_tiles, (n + 31) / 32, k, global_value}, rows);
  block.store(partial);
#ifndef QUADPAIR_DAMAGE_DROPPED_BARRIER
  __syncthreads();
#endif
#pragma unroll
  for (u32 element = threadIdx.x; element < RowBlocks * Block::columns * 8; element += Slices * 32) {
    const u32 row = element % 8, place = element / 8 % Block::columns,
              row_block = element / 8 / Block::columns;
    const u16 sum = to_half(Block::sum_slices(partial, row_block, 0, place, row));
    const u32 out_row = 8 * row_block + row, out_column = Block::column_of_place(place);
    if (out_row < rows.count && out_column < n)
      y[static_cast<u64>(first_row + out_row) * ldy + out_column] = sum;
  }
}

#else

template <int Slices, int Chains, int RowBlocks>
__device__ __forceinline__ void gemm(const u8* codes, const u8* scales, const u16* global_tiles, const u16* x,
                                     u16* y, u32 m, u32 n, u32 k, u32 ldx, u32 ldy, u16 global_value) {
  constexpr int pass = Slices * RowBlocks <= 32 ? RowBlocks : 32 / Slices;  // row blocks: at most 32 KiB
  __shared__ float partial[pass][Slices][partial_elements];

  const u32 first_row = blockIdx.y * (8 * RowBlocks);
  const Rows rows{x + static_cast<u64>(first_row) * ldx, ldx, m - first_row};
  const Tile tile = tile_at(blockIdx.x, k, codes, scales, global_tiles, global_value);

  Slice<Chains, RowBlocks, Slices * 32> slice;
  slice.accumulate(tile, rows, k, warp_id(), Slices);

#pragma unroll
  for (int block = 0; block < RowBlocks; block += pass) {
    if (block > 0) __syncthreads();
#pragma unroll
    for (int i = 0; i < pass; ++i) slice.store(block + i, partial[i][warp_id()]);
#ifndef QUADPAIR_DAMAGE_DROPPED_BARRIER
    __syncthreads();
#endif
    for (u32 element = threadIdx.x; element < pass * partial_elements; element += Slices * 32) {
      const u32 i = element / partial_elements, row = element / 32 % 8, column = element % 32;
      const u16 sum = to_half(sum_slices<Slices>(partial[i][0], row, column));
      const u32 out_row = 8 * (block + i) + row, out_column = blockIdx.x * 32 + column;
      if (out_row < rows.count && out_column < n)
        y[static_cast<u64>(first_row + out_row) * ldy + out_column] = sum;
    }
  }
}

#endif

}  // namespace quadpair::qpn2

#if __CUDA_ARCH__ >= 800
#define QPN2_GEMM(S, C, R, Q, B)                                                                          \
  extern "C" __global__ void __launch_bounds__((S)*32, B) qpn2_gemm_s##S##_c##C##_r##R##_q##Q(            \
      const quadpair::u8* codes, const quadpair::u8* scales, const quadpair::u16* global_tiles,           \
      const quadpair::u16* x, quadpair::u16* y, quadpair::u32 m, quadpair::u32 n, quadpair::u32 k,        \
      quadpair::u32 ldx, quadpair::u32 ldy, quadpair::u16 global_value) {                                 \
    quadpair::qpn2::gemm<S, C, R, Q>(codes, scales, global_tiles, x, y, m, n, k, ldx, ldy, global_value); \
  }

// The last number is of blocks that a multiprocessor should hold; it bounds the registers.
QPN2_GEMM(8, 1, 1, 3, 3)
QPN2_GEMM(8, 1, 2, 5, 2)
QPN2_GEMM(8, 1, 4, 9, 1)
QPN2_GEMM(8, 2, 1, 2, 3)
QPN2_GEMM(8, 2, 2, 2, 2)
QPN2_GEMM(8, 2, 4, 2, 2)
QPN2_GEMM(12, 1, 1, 2, 3)
QPN2_GEMM(12, 1, 2, 5, 1)
QPN2_GEMM(12, 1, 4, 5, 1)
QPN2_GEMM(12, 2, 1, 2, 2)
QPN2_GEMM(12, 2, 2, 2, 2)
QPN2_GEMM(12, 2, 4, 2, 1)
QPN2_GEMM(16, 1, 1, 2, 2)
QPN2_GEMM(16, 1, 2, 4, 1)
QPN2_GEMM(16, 1, 4, 4, 1)
QPN2_GEMM(16, 2, 1, 2, 2)
QPN2_GEMM(16, 2, 2, 2, 1)
QPN2_GEMM(16, 2, 4, 2, 1)
QPN2_GEMM(32, 1, 1, 2, 1)
QPN2_GEMM(32, 2, 1, 2, 1)
#else
#define QPN2_GEMM(S, C, R)                                                                             \
  extern "C" __global__ void __launch_bounds__((S)*32, 1) qpn2_gemm_s##S##_c##C##_r##R(                \
      const quadpair::u8* codes, const quadpair::u8* scales, const quadpair::u16* global_tiles,        \
      const quadpair::u16* x, quadpair::u16* y, quadpair::u32 m, quadpair::u32 n, quadpair::u32 k,     \
      quadpair::u32 ldx, quadpair::u32 ldy, quadpair::u16 global_value) {                              \
    quadpair::qpn2::gemm<S, C, R>(codes, scales, global_tiles, x, y, m, n, k, ldx, ldy, global_value); \
  }

QPN2_GEMM(8, 1, 1)
QPN2_GEMM(8, 1, 2)
QPN2_GEMM(8, 1, 4)
QPN2_GEMM(8, 2, 1)
QPN2_GEMM(8, 2, 2)
QPN2_GEMM(8, 2, 4)
QPN2_GEMM(16, 1, 1)
QPN2_GEMM(16, 1, 2)
QPN2_GEMM(16, 1, 4)
QPN2_GEMM(16, 2, 1)
QPN2_GEMM(16, 2, 2)
QPN2_GEMM(16, 2, 4)
QPN2_GEMM(32, 1, 1)
QPN2_GEMM(32, 2, 1)
#endif
