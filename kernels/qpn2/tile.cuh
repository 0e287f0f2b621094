// What a launch works on, and what one warp of it: a 32-column tile of weights and a block of activation
// rows.
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair::qpn2 {

/// The column of a tile whose codes and scale a lane holds in the QPN2 order, and its inverse.
__device__ __forceinline__ u32 column_of_lane(u32 lane) {
  return 8 * (lane / 4 % 4) + lane % 4 + (lane >= 16 ? 4 : 0);
}
__device__ __forceinline__ u32 lane_of_column(u32 column) {
  return 4 * (column / 8) + column % 4 + (column & 4) * 4;
}

struct Tile {
  const u8* codes;   ///< u8 [K/16][32][8], or "shared" u32 [K/16][2][32]: 256 bytes a group
  const u8* scales;  ///< u8 [K/16][32]
  u32 global;        ///< FP16 G, twice
};

/// The packed weights: one matrix, or two halves of equally many tiles.
struct Weights {
  const u8* codes;          ///< u8 [halves * tiles][K/16][32][8], or u32 [halves * tiles][K/8][32]
  const u8* scales;         ///< u8 [halves * tiles][K/16][32]
  const u16* global_tiles;  ///< f16 [halves * tiles], or null
  u32 tiles, k;
  u16 global_value;  ///< serves every tile where global_tiles is null

  __device__ __forceinline__ Tile tile(u32 index) const {
    const u64 first_group = static_cast<u64>(index) * (k / 16);
    const u32 global = global_tiles != nullptr ? load_u16(global_tiles + index) : global_value;
    return {codes + first_group * 256, scales + first_group * 32, global * 0x10001u};
  }
};

/// f16 rows; rows past `count` are never touched.
struct Rows {
  const u16* x;
  u32 leading;  ///< elements from one row to the next
  u32 count;
};

/// FP16 numbers in neighbouring columns, ascending.
template <int Width>
struct alignas(2 * Width) Halves {
  u16 of[Width];
};

/// y[m, n] = x[m, k] . weights^T; `n` is the width of y, of each half of the weights.
struct Operands {
  Weights weights;
  const u16* x;
  u16* y;
  u32 m, n, ldx, ldy;

  __device__ __forceinline__ Rows rows_from(u32 first_row) const {
    return {x + static_cast<u64>(first_row) * ldx, ldx, m - first_row};
  }
  /// Elements past the matrix are dropped.
  __device__ __forceinline__ void store(u32 row, u32 column, u16 value) const {
    if (row < m && column < n) y[static_cast<u64>(row) * ldy + column] = value;
  }
  /// The same, as one store where all are in the matrix and the address allows it.
  template <int Width>
  __device__ __forceinline__ void store(u32 row, u32 column, const Halves<Width>& values) const {
    u16* address = y + static_cast<u64>(row) * ldy + column;
    if (Width > 1 && row < m && column + Width <= n && reinterpret_cast<u64>(address) % (2 * Width) == 0) {
      *reinterpret_cast<Halves<Width>*>(address) = values;
      return;
    }
#pragma unroll
    for (int i = 0; i < Width; ++i) store(row, column + i, values.of[i]);
  }
};

}  // namespace quadpair::qpn2

/// The parameters that the entries of all operators begin with.
#define QPN2_PARAMETERS                                                                            \
  const quadpair::u8 *codes, const quadpair::u8 *scales, const quadpair::u16 *global_tiles,        \
      const quadpair::u16 *x, quadpair::u16 *y, quadpair::u32 m, quadpair::u32 n, quadpair::u32 k, \
      quadpair::u32 ldx, quadpair::u32 ldy
