// The dense product: one thread block a tile of y, see tile_warpgroup.cuh, wide/tile_m16n8k16.cuh and
// wide/tile_m8n8k4.cuh. Entries: dense_gemm_<rows>x<columns>_<s1|wgmma>.
#if __CUDA_ARCH__ == 900
#include "kernels/dense/tile_warpgroup.cuh"
#elif __CUDA_ARCH__ >= 800
#include "kernels/dense/rows_m16n8k16.cuh"
#include "kernels/wide/tile_m16n8k16.cuh"
#else
#include "kernels/dense/rows_m8n8k4.cuh"
#include "kernels/wide/tile_m8n8k4.cuh"
#endif

namespace quadpair::dense {

// Grid (tiles of rows, tiles of columns): blocks that share weights run side by side.
#if __CUDA_ARCH__ == 900

template <int Rows, int Columns>
__device__ __forceinline__ void gemm(const u16* x, const u16* w, u16* y, u32 m, u32 n, u32 k, u32 ldx,
                                     u32 ldy) {
  extern __shared__ __align__(1024) u8 stages[];
  using Tile = WarpgroupTile<Rows, Columns>;
  const u32 first_row = blockIdx.x * Rows, first_column = blockIdx.y * Columns, units = k / wide::unit_k;
  const wide::SourceRows rows{x + static_cast<u64>(first_row) * ldx, ldx, m - first_row};
  if (threadIdx.x >= Tile::shape.consumers()) {
    Tile::produce(rows, {w + static_cast<u64>(first_column) * k, k, n - first_column}, stages, units);
    return;
  }
  Tile block;
  block.consume(stages, units);
  block.store(wide::Output<8>(y + static_cast<u64>(first_row) * ldy, ldy, rows.count, n), first_column);
}

#else

template <int Rows, int Columns>
__device__ __forceinline__ void gemm(const u16* x, const u16* w, u16* y, u32 m, u32 n, u32 k, u32 ldx,
                                     u32 ldy) {
  extern __shared__ __align__(16) u8 shared[];
  const u32 first_row = blockIdx.x * Rows, first_column = blockIdx.y * Columns, units = k / wide::unit_k;
  RowOperand<Columns> weights({w + static_cast<u64>(first_column) * k, k, n - first_column});
  const wide::SourceRows rows{x + static_cast<u64>(first_row) * ldx, ldx, m - first_row};
  u16* const out = y + static_cast<u64>(first_row) * ldy;
#if __CUDA_ARCH__ >= 800
  wide::Tile<RowOperand<Columns>, Rows, Columns, 1> block;
  block.accumulate(weights, rows, shared, 0, units);
  block.store(wide::Output<4>(out, ldy, rows.count, n), first_column);
#else
  wide::Tile<RowOperand<Columns>, Rows, Columns> block;
  block.accumulate(weights, rows, shared, units);
  block.store(wide::Output<2>(out, ldy, rows.count, n), first_column);
#endif
}

#endif

}  // namespace quadpair::dense

#define DENSE_GEMM(R, C)                                                                                  \
  extern "C" __global__ void __launch_bounds__(C, 1) dense_gemm_##R##x##C##_s1(                           \
      const quadpair::u16* x, const quadpair::u16* w, quadpair::u16* y, quadpair::u32 m, quadpair::u32 n, \
      quadpair::u32 k, quadpair::u32 ldx, quadpair::u32 ldy) {                                            \
    quadpair::dense::gemm<R, C>(x, w, y, m, n, k, ldx, ldy);                                              \
  }

#if __CUDA_ARCH__ == 900
#define DENSE_GEMM_WARPGROUP(R, C)                                                                       \
  extern "C" __global__ void __launch_bounds__(quadpair::dense::WarpgroupShape{R, C}.threads(), 1)       \
      dense_gemm_##R##x##C##_wgmma(const quadpair::u16* x, const quadpair::u16* w, quadpair::u16* y,     \
                                   quadpair::u32 m, quadpair::u32 n, quadpair::u32 k, quadpair::u32 ldx, \
                                   quadpair::u32 ldy) {                                                  \
    quadpair::dense::gemm<R, C>(x, w, y, m, n, k, ldx, ldy);                                             \
  }

DENSE_GEMM_WARPGROUP(128, 192)
DENSE_GEMM_WARPGROUP(256, 128)
DENSE_GEMM_WARPGROUP(256, 160)
#elif __CUDA_ARCH__ >= 800
DENSE_GEMM(96, 128)
DENSE_GEMM(128, 64)
DENSE_GEMM(128, 128)
DENSE_GEMM(128, 256)
#else
DENSE_GEMM(64, 128)
#endif
