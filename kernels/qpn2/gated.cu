// qpn2_gated: a gate tile and the up tile of the same columns (see product_m8n8k4.cuh for sm70 and
// block_m16n8k16.cuh for native; there, a warp sums both halves of its k-slice), then silu(gate) . up.
// Entries: qpn2_gated[_shared]_s<S>_c<C>_r<R>, native _q<Q> too: S slices, C chains, R row blocks of 8 rows,
// Q quarters of a tile that a block computes. An R that would spill is left out, and more blocks do the work.
#include "kernels/common/gated_epilogue.cuh"
#if __CUDA_ARCH__ >= 800
#include "kernels/qpn2/product_m16n8k16.cuh"
#else
#include "kernels/qpn2/product_m8n8k4.cuh"
#endif

// `n` is the logical width of the output; `up_tile` the first tile of the up half.
#define QPN2_GATED_ENTRY(NAME, THREADS, BLOCKS, ...)                                               \
  extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)                                    \
      NAME(QPN2_PARAMETERS, quadpair::u32 up_tile, quadpair::u16 global_value) {                   \
    quadpair::qpn2::product<2, __VA_ARGS__>(                                                       \
        {{codes, scales, global_tiles, up_tile, k, global_value}, x, y, m, n, ldx, ldy},           \
        [](const quadpair::u16(&sums)[2]) { return quadpair::gated_epilogue(sums[0], sums[1]); }); \
  }

#if __CUDA_ARCH__ >= 800
#define QPN2_GATED(S, C, R, Q, B)                                                      \
  QPN2_GATED_ENTRY(qpn2_gated_s##S##_c##C##_r##R##_q##Q, (S)*32, B, S, C, R, Q, false) \
  QPN2_GATED_ENTRY(qpn2_gated_shared_s##S##_c##C##_r##R##_q##Q, (S)*32, B, S, C, R, Q, true)

// The last number is of blocks that a multiprocessor should hold; it bounds the registers.
QPN2_GATED(8, 1, 1, 2, 3)
QPN2_GATED(8, 1, 2, 5, 1)
QPN2_GATED(8, 1, 4, 5, 1)
QPN2_GATED(8, 2, 1, 2, 2)
QPN2_GATED(8, 2, 2, 2, 2)
QPN2_GATED(8, 2, 4, 2, 1)
QPN2_GATED(16, 1, 1, 2, 1)
QPN2_GATED(16, 1, 2, 2, 1)
QPN2_GATED(16, 1, 4, 2, 1)
QPN2_GATED(16, 2, 1, 2, 1)
QPN2_GATED(16, 2, 2, 2, 1)
#else
#define QPN2_GATED(S, C, R)                                                  \
  QPN2_GATED_ENTRY(qpn2_gated_s##S##_c##C##_r##R, (S)*64, 1, S, C, R, false) \
  QPN2_GATED_ENTRY(qpn2_gated_shared_s##S##_c##C##_r##R, (S)*64, 1, S, C, R, true)

QPN2_GATED(8, 1, 1)
QPN2_GATED(8, 1, 2)
QPN2_GATED(8, 1, 4)
QPN2_GATED(8, 2, 1)
QPN2_GATED(8, 2, 2)
QPN2_GATED(8, 2, 4)
QPN2_GATED(16, 1, 1)
QPN2_GATED(16, 2, 1)
#endif
