// From the checkpoint's layout to QPN2 codes and scales. A warp fills one tile's four consecutive groups:
// each lane reads 32 contiguous bytes of its row, and every store of the warp is contiguous.
#include "kernels/convert/physical_order.cuh"
#include "kernels/qpn2/tile.cuh"

/// `rows` of each half are padded to `tiles` tiles of 32; grid (tiles of all halves, groups / 32), 8 warps.
/// Codes are packed unless `packed_codes` is null.
extern "C" __global__ void __launch_bounds__(256)
    pack_qpn2(const quadpair::u8* codes, const quadpair::u8* scales, quadpair::u8* packed_codes,
              quadpair::u8* packed_scales, quadpair::u32 rows, quadpair::u32 tiles, quadpair::u32 k) {
  using namespace quadpair;
  const u32 groups = k / 16, lane = lane_id();
  const u32 group = (blockIdx.y * 8 + warp_id()) * 4;
  if (group >= groups) return;

  const u32 column = qpn2::column_of_lane(lane);
  const u32 half = blockIdx.x / tiles;
  const u32 row_in_half = blockIdx.x % tiles * 32 + column;
  const bool present = row_in_half < rows;
  const u64 row = static_cast<u64>(half) * rows + row_in_half;
  const u8* source = codes + row * (k / 2) + group * 8;
  const uint4 low = load_v4_if(present, source), high = load_v4_if(present, source + 16);
  u32 bytes = 0;
  if (present) bytes = *reinterpret_cast<const u32*>(scales + row * groups + group);

  const u32 words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
  const u64 first = (static_cast<u64>(blockIdx.x) * groups + group) * 32 + lane;
  uint2* out_codes = reinterpret_cast<uint2*>(packed_codes) + first;
  u8* out_scales = packed_scales + first;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#ifdef QUADPAIR_DAMAGE_SWAPPED_SCALES
    const int scale = i ^ 1;
#else
    const int scale = i;
#endif
    if (packed_codes != nullptr)
      out_codes[i * 32] =
          make_uint2(convert::physical_order(words[2 * i]), convert::physical_order(words[2 * i + 1]));
    out_scales[i * 32] = static_cast<u8>(bytes >> (8 * scale));
  }
}
