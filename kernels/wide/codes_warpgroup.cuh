// TurboMind codes as the left operand of wgmma: `Columns`, 16 or 32, of a 32-column tile a warp. Lane (r, t),
// r = lane / 4, t = lane % 4, holds Columns / 8 neighbouring columns of group 4u + t of unit u, as the lanes
// of codes_m16n8k16.cuh do, so that both sum in the same order. Units are loaded into registers ahead of use.
#pragma once

#include "kernels/qpn2/tile.cuh"
#include "kernels/wide/code_matrix.cuh"
#include "kernels/wide/decode.cuh"

namespace quadpair::wide {

template <bool Compact, int Columns>
class WarpgroupCodes {
 public:
  static constexpr int width = Columns / 8;  ///< columns of a lane
  static_assert(width == 2 || width == 4);

  /// A lane's codes and scales of one unit.
  struct Unit {
    u32 words[2][width];
    u32 scales[width / 2];  ///< two FP16, or bytes from the lowest on
  };

  /// The lane's part of the warp's columns from `first_column` on.
  __device__ __forceinline__ WarpgroupCodes(const CodeMatrix& matrix, u32 first_column, u32 tiles, u32 k) {
    u32 tile = first_column / 32;
    if (tile >= tiles) tile = 0;  // past the end: any weights do, nothing is written
    const u32 group = lane_id() % 4, column = first_column % 32 + width * (lane_id() / 4);
    const u64 group_of_all = static_cast<u64>(tile) * (k / 16) + group;
    codes_ = reinterpret_cast<const u8*>(matrix.codes) + group_of_all * 256 + column * 4;
    if (Compact) {
      scales_ = matrix.scales + group_of_all * 32 + qpn2::lane_of_column(column);
      scale_step_ = 128;
      g_ = matrix.globals.of_tile(tile);
    } else {
      scales_ = matrix.scales + (static_cast<u64>(group) * tiles * 32 + tile * 32 + column) * 2;
      scale_step_ = tiles * 256;
    }
  }

  /// Loads the next unit.
  __device__ __forceinline__ void load(Unit& unit) {
    if constexpr (width == 4) {
      const uint4 low = stream_v4(codes_), high = stream_v4(codes_ + 128);
      unit.words[0][0] = low.x, unit.words[0][1] = low.y, unit.words[0][2] = low.z, unit.words[0][3] = low.w;
      unit.words[1][0] = high.x, unit.words[1][1] = high.y;
      unit.words[1][2] = high.z, unit.words[1][3] = high.w;
    } else {
      const uint2 low = stream_v2(codes_), high = stream_v2(codes_ + 128);
      unit.words[0][0] = low.x, unit.words[0][1] = low.y;
      unit.words[1][0] = high.x, unit.words[1][1] = high.y;
    }
    if constexpr (Compact) {
      unit.scales[0] = width == 4 ? stream_u32(scales_) : stream_u16(scales_);
    } else if constexpr (width == 4) {
      const uint2 halves = stream_v2(scales_);
      unit.scales[0] = halves.x, unit.scales[1] = halves.y;
    } else {
      unit.scales[0] = stream_u32(scales_);
    }
    codes_ += 1024;
    scales_ += scale_step_;
  }

  /// The scales of a loaded unit, as pairs of FP16.
  __device__ __forceinline__ void begin(const Unit& unit) {
    if constexpr (Compact) {
      pairs_[0] = restore_scales(permute_bytes(unit.scales[0], 0, 0x4140), g_);
      if constexpr (width == 4) pairs_[1] = restore_scales(permute_bytes(unit.scales[0], 0, 0x4342), g_);
    } else {
#pragma unroll
      for (int i = 0; i < width / 2; ++i) pairs_[i] = unit.scales[i];
    }
  }

  /// weights[i][j]: k 8 run + 2j, + 1 of the lane's group in its column i.
  __device__ __forceinline__ void fragments(const Unit& unit, int run, u32 (&weights)[width][4]) const {
#pragma unroll
    for (int i = 0; i < width; ++i)
      decode8(unit.words[run][i], permute_bytes(pairs_[i / 2], 0, i % 2 == 0 ? 0x1010 : 0x3232), weights[i]);
  }

 private:
  const u8* codes_;
  const u8* scales_;
  u32 scale_step_;
  float g_ = 0;
  u32 pairs_[width / 2];
};

}  // namespace quadpair::wide
