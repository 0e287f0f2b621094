// qpn8_gemm: see product.cuh.
// Entries: qpn8_gemm_<channel|block>_s<S>_c<C>_r<R>: S slices, C chains, R row blocks of 8 rows. An R that
// would spill is left out, and more blocks do the work.
#include "kernels/qpn8/product.cuh"
#include "kernels/qpn8/weights.cuh"

#define QPN8_GEMM_ENTRY(KIND, BLOCK, S, C, R)                                                           \
  extern "C" __global__ void __launch_bounds__((S)*32) qpn8_gemm_##KIND##_s##S##_c##C##_r##R(           \
      const quadpair::u8* codes, const quadpair::u16* scales, const quadpair::u16* x, quadpair::u16* y, \
      quadpair::u32 m, quadpair::u32 n, quadpair::u32 k, quadpair::u32 ldx, quadpair::u32 ldy) {        \
    quadpair::qpn8::product<S, C, R>(quadpair::qpn8::Weights<BLOCK>{codes, scales, (n + 31) / 32, k},   \
                                     {x, y, m, n, ldx, ldy});                                           \
  }

#define QPN8_GEMM(S, C, R)                 \
  QPN8_GEMM_ENTRY(channel, false, S, C, R) \
  QPN8_GEMM_ENTRY(block, true, S, C, R)

QPN8_GEMM(8, 1, 1)
QPN8_GEMM(8, 1, 2)
QPN8_GEMM(8, 2, 1)
QPN8_GEMM(8, 2, 2)
QPN8_GEMM(16, 1, 1)
QPN8_GEMM(16, 1, 2)
QPN8_GEMM(16, 2, 1)
QPN8_GEMM(16, 2, 2)
QPN8_GEMM(32, 1, 1)
QPN8_GEMM(32, 2, 1)
