// tm_gemm: one thread block a tile of y, see tile_m16n8k16.cuh, tile_warpgroup.cuh and tile_m8n8k4.cuh.
// Entries: tm_gemm_<persistent|compact>_<rows>x<columns>_<s<slices>|wgmma>.
#if __CUDA_ARCH__ >= 800
#include "kernels/wide/codes_m16n8k16.cuh"
#include "kernels/wide/tile_m16n8k16.cuh"
#if __CUDA_ARCH__ == 900
#include "kernels/wide/tile_warpgroup.cuh"
#endif
#else
#include "kernels/wide/codes_m8n8k4.cuh"
#include "kernels/wide/tile_m8n8k4.cuh"
#endif

namespace quadpair::wide {

// Grid (tiles of rows, tiles of columns): blocks that share weights run side by side.
#if __CUDA_ARCH__ >= 800

template <bool Compact, int Rows, int Columns, int Slices>
__device__ __forceinline__ void tm_gemm(const CodeMatrix& matrix, const u16* x, u16* y, u32 m, u32 n, u32 k,
                                        u32 ldx, u32 ldy) {
  extern __shared__ __align__(16) u8 shared[];
  using Operand = CodeOperand<Compact>;
  using Tile = Tile<Operand, Rows, Columns, Slices>;
  const u32 first_row = blockIdx.x * Rows, first_column = blockIdx.y * Columns;
  const u32 slice = warp_id() / Tile::warps, units = k / unit_k;
  const u32 first = slice * units / Slices, count = (slice + 1) * units / Slices - first;

  const u32 warp = warp_id() % Tile::warps;
  Operand weights(matrix, first_column / 32 + warp, (n + 31) / 32, k, first, warp);
  const SourceRows rows{x + static_cast<u64>(first_row) * ldx, ldx, m - first_row};
  Tile block;
  block.accumulate(weights, rows, shared, first, count);
  const Output<4> out(y + static_cast<u64>(first_row) * ldy, ldy, rows.count, n);
  if constexpr (Slices == 1)
    block.store(out, first_column);
  else
    block.reduce(out, first_column, shared);
}

#if __CUDA_ARCH__ == 900
template <bool Compact, int Rows, int Columns>
__device__ __forceinline__ void tm_gemm_by_warpgroups(const CodeMatrix& matrix, const u16* x, u16* y, u32 m,
                                                      u32 n, u32 k, u32 ldx, u32 ldy) {
  extern __shared__ __align__(1024) u8 stages[];
  using Tile = WarpgroupTile<Compact, Rows, Columns>;
  const u32 first_row = blockIdx.x * Rows, units = k / unit_k;
  const SourceRows rows{x + static_cast<u64>(first_row) * ldx, ldx, m - first_row};
  if (threadIdx.x >= Tile::shape.consumers()) {
    Tile::produce(rows, stages, units);
    return;
  }
  const u32 first_column = blockIdx.y * Columns + warp_id() * Tile::shape.warp_columns();
  typename Tile::Weights weights(matrix, first_column, (n + 31) / 32, k);
  Tile block;
  block.consume(weights, stages, units);
  block.store(Output<Tile::width>(y + static_cast<u64>(first_row) * ldy, ldy, rows.count, n), first_column);
}
#endif

#else

template <bool Compact, int Rows, int Columns, int Slices>
__device__ __forceinline__ void tm_gemm(const CodeMatrix& matrix, const u16* x, u16* y, u32 m, u32 n, u32 k,
                                        u32 ldx, u32 ldy) {
  static_assert(Slices == 1);
  extern __shared__ __align__(16) u8 shared[];
  const u32 first_row = blockIdx.x * Rows, first_column = blockIdx.y * Columns;
  CodeOperand<Compact> weights(matrix, first_column / 32 + warp_id(), (n + 31) / 32, k);
  const SourceRows rows{x + static_cast<u64>(first_row) * ldx, ldx, m - first_row};
  Tile<CodeOperand<Compact>, Rows, Columns> block;
  block.accumulate(weights, rows, shared, k / unit_k);
  block.store(Output<2>(y + static_cast<u64>(first_row) * ldy, ldy, rows.count, n), first_column);
}

#endif

}  // namespace quadpair::wide

#define TM_GEMM_ENTRY(KIND, COMPACT, R, C, S)                                                      \
  extern "C" __global__ void __launch_bounds__((C) * (S), 1) tm_gemm_##KIND##_##R##x##C##_s##S(    \
      const quadpair::u32* codes, const quadpair::u8* scales, quadpair::GlobalParts globals,       \
      const quadpair::u16* x, quadpair::u16* y, quadpair::u32 m, quadpair::u32 n, quadpair::u32 k, \
      quadpair::u32 ldx, quadpair::u32 ldy) {                                                      \
    quadpair::wide::tm_gemm<COMPACT, R, C, S>({codes, scales, globals}, x, y, m, n, k, ldx, ldy);  \
  }
#define TM_GEMM(R, C, S)                    \
  TM_GEMM_ENTRY(persistent, false, R, C, S) \
  TM_GEMM_ENTRY(compact, true, R, C, S)

#if __CUDA_ARCH__ == 900
#define TM_GEMM_WARPGROUP_ENTRY(KIND, COMPACT, R, C)                                                         \
  extern "C" __global__ void __launch_bounds__(quadpair::wide::WarpgroupShape{R, C}.threads(), 1)            \
      tm_gemm_##KIND##_##R##x##C##_wgmma(const quadpair::u32* codes, const quadpair::u8* scales,             \
                                         quadpair::GlobalParts globals, const quadpair::u16* x,              \
                                         quadpair::u16* y, quadpair::u32 m, quadpair::u32 n,                 \
                                         quadpair::u32 k, quadpair::u32 ldx, quadpair::u32 ldy) {            \
    quadpair::wide::tm_gemm_by_warpgroups<COMPACT, R, C>({codes, scales, globals}, x, y, m, n, k, ldx, ldy); \
  }
#define TM_GEMM_WARPGROUP(R, C)                    \
  TM_GEMM_WARPGROUP_ENTRY(persistent, false, R, C) \
  TM_GEMM_WARPGROUP_ENTRY(compact, true, R, C)

TM_GEMM_WARPGROUP(64, 192)
TM_GEMM_WARPGROUP(96, 128)
TM_GEMM_WARPGROUP(128, 128)
TM_GEMM_WARPGROUP(128, 192)
TM_GEMM_WARPGROUP(152, 256)
#endif

#if __CUDA_ARCH__ >= 800
TM_GEMM(40, 32, 8)
TM_GEMM(40, 64, 4)
TM_GEMM(40, 64, 8)
TM_GEMM(40, 96, 4)
TM_GEMM(64, 32, 8)
TM_GEMM(64, 64, 4)
TM_GEMM(64, 96, 4)
TM_GEMM(96, 128, 1)
TM_GEMM(96, 128, 2)
TM_GEMM(128, 64, 2)
TM_GEMM(128, 64, 4)
TM_GEMM(128, 128, 1)
#else
TM_GEMM(32, 64, 1)
TM_GEMM(64, 128, 1)
#endif
