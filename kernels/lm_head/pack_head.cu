// The FP16 head in the order of the tensor cores. A warp fills one tile's two consecutive groups: each lane
// reads 64 contiguous bytes of its row.
#include "kernels/convert/physical_order.cuh"
#include "kernels/qpn2/tile.cuh"

/// n rows are padded to tiles of 32; grid (tiles, groups / 16), 8 warps.
extern "C" __global__ void __launch_bounds__(256)
    lm_head_pack(const quadpair::u16* head, quadpair::u16* packed, quadpair::u32 n, quadpair::u32 k) {
  using namespace quadpair;
  const u32 groups = k / 16, lane = lane_id(), group = (blockIdx.y * 8 + warp_id()) * 2;
  if (group >= groups) return;
  const u32 row = blockIdx.x * 32 + qpn2::column_of_lane(lane);
  const u16* source = head + static_cast<u64>(row) * k + group * 16;
  uint4* to =
      reinterpret_cast<uint4*>(packed) + ((static_cast<u64>(blockIdx.x) * groups + group) * 32 + lane) * 2;
  uint4 runs[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) runs[i] = load_v4_if(row < n, source + 8 * i);
#pragma unroll
  for (int i = 0; i < 4; ++i) to[i / 2 * 64 + i % 2] = convert::physical_halves(runs[i]);
}
