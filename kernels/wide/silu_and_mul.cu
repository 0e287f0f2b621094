// silu_and_mul: one element a thread, so that any alignment will do.
#include "kernels/common/gated_epilogue.cuh"

/// Grid (rows, columns / 256).
extern "C" __global__ void __launch_bounds__(256)
    silu_and_mul(const quadpair::u16* x, quadpair::u16* y, quadpair::u32 columns, quadpair::u32 up,
                 quadpair::u32 ldx, quadpair::u32 ldy) {
  using namespace quadpair;
  const u32 column = blockIdx.y * 256 + threadIdx.x;
  const u32 row = blockIdx.x;
  if (column >= columns) return;
  const u16* gate = x + static_cast<u64>(row) * ldx + column;
  y[static_cast<u64>(row) * ldy + column] =
      gated_epilogue(static_cast<u16>(load_u16(gate)), static_cast<u16>(load_u16(gate + up)));
}
