// qpn2_gemm: see product_m8n8k4.cuh (sm70) and block_m16n8k16.cuh (native).
// Entries: qpn2_gemm[_shared]_s<S>_c<C>_r<R>, native _q<Q> too: S slices, C chains, R row blocks of 8 rows, Q
// quarters of a tile that a block computes. An R that would spill is left out, and more blocks do the work.
#if __CUDA_ARCH__ >= 800
#include "kernels/qpn2/product_m16n8k16.cuh"
#else
#include "kernels/qpn2/product_m8n8k4.cuh"
#endif

#define QPN2_GEMM_ENTRY(NAME, THREADS, BLOCKS, ...)                                            \
  extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)                                \
      NAME(QPN2_PARAMETERS, quadpair::u16 global_value) {                                      \
    quadpair::qpn2::product<1, __VA_ARGS__>(                                                   \
        {{codes, scales, global_tiles, (n + 31) / 32, k, global_value}, x, y, m, n, ldx, ldy}, \
        [](const quadpair::u16(&sums)[1]) { return sums[0]; });                                \
  }

#if __CUDA_ARCH__ >= 800
#define QPN2_GEMM(S, C, R, Q, B)                                                     \
  QPN2_GEMM_ENTRY(qpn2_gemm_s##S##_c##C##_r##R##_q##Q, (S)*32, B, S, C, R, Q, false) \
  QPN2_GEMM_ENTRY(qpn2_gemm_shared_s##S##_c##C##_r##R##_q##Q, (S)*32, B, S, C, R, Q, true)

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
#define QPN2_GEMM(S, C, R)                                                 \
  QPN2_GEMM_ENTRY(qpn2_gemm_s##S##_c##C##_r##R, (S)*32, 1, S, C, R, false) \
  QPN2_GEMM_ENTRY(qpn2_gemm_shared_s##S##_c##C##_r##R, (S)*32, 1, S, C, R, true)

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
