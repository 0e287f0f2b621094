// What one warp works on: a 32-column tile of weights and a block of activation rows.
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair::qpn2 {

struct Tile {
  const u8* codes;   ///< u8 [K/16][32][8]
  const u8* scales;  ///< u8 [K/16][32]
  u32 global;        ///< FP16 G, twice
};

/// `global_tiles` is f16 [N/32], or null when `global_value` serves every tile.
__device__ __forceinline__ Tile tile_at(u32 tile, u32 k, const u8* codes, const u8* scales,
                                        const u16* global_tiles, u16 global_value) {
  const u64 first_group = static_cast<u64>(tile) * (k / 16);
  const u32 global = global_tiles != nullptr ? load_u16(global_tiles + tile) : global_value;
  return {codes + first_group * 256, scales + first_group * 32, global * 0x10001u};
}

/// f16 rows; rows past `count` read as zero and are never touched.
struct Rows {
  const u16* x;
  u32 leading;  ///< elements from one row to the next
  u32 count;
};

}  // namespace quadpair::qpn2
