// TurboMind's codes and scales from the checkpoint's layout, and its scales from QPN2's. A lane holds the
// column of its own number, a warp one tile's four consecutive groups; every store of the warp is contiguous.
#include "kernels/common/global_parts.cuh"
#include "kernels/convert/physical_order.cuh"
#include "kernels/qpn2/tile.cuh"
#include "kernels/wide/decode.cuh"

namespace quadpair::convert {

/// The first of the warp's four groups: grid (tiles, groups / 32), 8 warps.
__device__ __forceinline__ u32 first_group() {
  return (blockIdx.y * 8 + warp_id()) * 4;
}

/// Scale i (0..3) of group `group + i` from byte i.
__device__ __forceinline__ void store_scales(u32 bytes, float g, u16* scales, u32 group, u32 padded_n) {
  u16* out = scales + static_cast<u64>(group) * padded_n + blockIdx.x * 32 + lane_id();
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    *out = static_cast<u16>(wide::restore_scales(bytes >> (8 * i) & 0xFF, g));
    out += padded_n;
  }
}

}  // namespace quadpair::convert

/// `rows` of each half are padded to `tiles` tiles of 32; grid.x counts the tiles of all halves. Null outputs
/// are not written, and what they are made from is not read.
extern "C" __global__ void __launch_bounds__(256)
    pack_turbomind(const quadpair::u8* codes, const quadpair::u8* scales, quadpair::GlobalParts globals,
                   quadpair::u32* packed_codes, quadpair::u16* packed_scales, quadpair::u32 rows,
                   quadpair::u32 tiles, quadpair::u32 k) {
  using namespace quadpair;
  const u32 groups = k / 16, group = convert::first_group();
  if (group >= groups) return;

  const u32 row_in_half = blockIdx.x % tiles * 32 + lane_id();
  const bool present = row_in_half < rows;
  const u64 row = static_cast<u64>(blockIdx.x / tiles) * rows + row_in_half;
  if (packed_codes != nullptr) {
    const u8* source = codes + row * (k / 2) + group * 8;
    const uint4 low = load_v4_if(present, source), high = load_v4_if(present, source + 16);
    const u32 words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
    u32* out = packed_codes + (static_cast<u64>(blockIdx.x) * groups + group) * 64 + lane_id();
#pragma unroll
    for (int i = 0; i < 8; ++i) out[i * 32] = convert::physical_order(words[i]);
  }
  if (packed_scales != nullptr) {
    u32 bytes = 0;
    if (present) bytes = *reinterpret_cast<const u32*>(scales + row * groups + group);
    convert::store_scales(bytes, globals.of_tile(blockIdx.x), packed_scales, group, gridDim.x * 32);
  }
}

/// grid.x counts the tiles of the padded matrix.
extern "C" __global__ void __launch_bounds__(256)
    restore_tm_scales(const quadpair::u8* qpn2_scales, quadpair::GlobalParts globals, quadpair::u16* scales,
                      quadpair::u32 k) {
  using namespace quadpair;
  const u32 groups = k / 16, group = convert::first_group();
  if (group >= groups) return;
  const u8* source =
      qpn2_scales + (static_cast<u64>(blockIdx.x) * groups + group) * 32 + qpn2::lane_of_column(lane_id());
  u32 bytes = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) bytes |= load_u8(source + 32 * i) << (8 * i);
  convert::store_scales(bytes, globals.of_tile(blockIdx.x), scales, group, gridDim.x * 32);
}
