// TurboMind codes as the right operand of m8n8k4: one 32-column tile a warp, lane l holds column c(l) of it.
// One unit of 64 k is on its way.
#pragma once

#include "kernels/qpn2/tile.cuh"
#include "kernels/wide/code_matrix.cuh"
#include "kernels/wide/decode.cuh"

namespace quadpair::wide {

template <bool Compact>
class CodeOperand {
 public:
  static constexpr bool dense = false;

  __device__ __forceinline__ CodeOperand(const CodeMatrix& matrix, u32 tile, u32 tiles, u32 k) {
    if (tile >= tiles) tile = 0;  // past the end: any weights do, nothing is written
    const u32 lane = lane_id(), column = qpn2::column_of_lane(lane);
    const u64 first_group = static_cast<u64>(tile) * (k / 16);
    codes_ = reinterpret_cast<const u8*>(matrix.codes) + first_group * 256 + column * 4;
    if (Compact) {
      scales_ = matrix.scales + first_group * 32 + lane;
      scale_step_ = 32;
      g_ = matrix.globals.of_tile(tile);
    } else {
      scales_ = matrix.scales + (static_cast<u64>(tile) * 32 + column) * 2;
      scale_step_ = tiles * 64;
    }
  }

  /// Loads group `group` of the next unit; its four groups come in order.
  __device__ __forceinline__ void load(int group) {
    words_[group] = make_uint2(load_once_u32(codes_), load_once_u32(codes_ + 128));
    scale_of_[group] = Compact ? load_u8(scales_) : load_u16(scales_);
    codes_ += 256;
    scales_ += scale_step_;
  }

  /// Nothing of the codes is kept in shared memory.
  __device__ __forceinline__ void keep(u8*) const {}

  /// weights[j]: k 2j, 2j + 1 of the group in the lane's column.
  __device__ __forceinline__ void fragments(int group, const u8*, u32 (&weights)[8]) const {
    const u32 one = Compact ? restore_scales(scale_of_[group], g_) : scale_of_[group];
    const u32 scale = permute_bytes(one, 0, 0x1010);
    decode8(words_[group].x, scale, weights);
    decode8(words_[group].y, scale, weights + 4);
  }

 private:
  const u8* codes_;
  const u8* scales_;
  u32 scale_step_;
  float g_ = 0;
  uint2 words_[4];
  u32 scale_of_[4];
};

}  // namespace quadpair::wide
