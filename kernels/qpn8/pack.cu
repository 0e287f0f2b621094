// From the checkpoint's FP8 layout to QPN8 codes and scales. A warp fills one tile's four consecutive groups:
// each lane reads 64 contiguous bytes of its row, and every store of the warp is contiguous.
#include "kernels/convert/physical_order.cuh"
#include "kernels/qpn2/tile.cuh"

/// n rows are padded to tiles of 32; grid (tiles, groups / 32), 8 warps.
extern "C" __global__ void __launch_bounds__(256)
    qpn8_pack_codes(const quadpair::u8* codes, quadpair::u8* packed, quadpair::u32 n, quadpair::u32 k) {
  using namespace quadpair;
  const u32 groups = k / 16, lane = lane_id(), group = (blockIdx.y * 8 + warp_id()) * 4;
  if (group >= groups) return;
  const u32 row = blockIdx.x * 32 + qpn2::column_of_lane(lane);
  const u8* source = codes + static_cast<u64>(row) * k + group * 16;
  uint4* to = reinterpret_cast<uint4*>(packed) + (static_cast<u64>(blockIdx.x) * groups + group) * 32 + lane;
  uint4 loaded[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) loaded[i] = load_v4_if(row < n, source + 16 * i);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const uint2 low = convert::physical_bytes({loaded[i].x, loaded[i].y});
    const uint2 high = convert::physical_bytes({loaded[i].z, loaded[i].w});
    to[i * 32] = make_uint4(low.x, low.y, high.x, high.y);
  }
}

/// scales f32 [n] to f16 [padded n]; a thread each.
extern "C" __global__ void __launch_bounds__(256)
    qpn8_pack_channel_scales(const float* scales, quadpair::u16* packed, quadpair::u32 n,
                             quadpair::u32 padded_n) {
  using namespace quadpair;
  const u32 row = blockIdx.x * 256 + threadIdx.x;
  if (row < padded_n) packed[row] = row < n ? to_half(__fmul_rn(scales[row], 256.0f)) : 0;
}

/// scales f32 [tiles / 4][blocks of k] to f16 [blocks of k][tiles]; a thread each.
extern "C" __global__ void __launch_bounds__(256)
    qpn8_pack_block_scales(const float* scales, quadpair::u16* packed, quadpair::u32 tiles,
                           quadpair::u32 blocks) {
  using namespace quadpair;
  const u32 index = blockIdx.x * 256 + threadIdx.x, block = index / tiles, tile = index % tiles;
  if (block < blocks)
    packed[index] = to_half(__fmul_rn(scales[static_cast<u64>(tile / 4) * blocks + block], 256.0f));
}
