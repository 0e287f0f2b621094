// TurboMind codes as the left operand of m16n8k16: one 32-column tile a warp. Lane (r, t), r = lane / 4, t =
// lane % 4, holds columns 4r..4r+3 of group 4u + t: of each run 16 bytes, so a warp reads whole sectors, and
// every word goes straight to the lane that decodes it.
#pragma once

#include "kernels/common/global_parts.cuh"
#include "kernels/qpn2/tile.cuh"
#include "kernels/wide/decode.cuh"

namespace quadpair::wide {

/// The packed weights of a product. `Compact`: scales u8 [tiles][K/16][32 lanes], restored with the parts' g;
/// else f16 [K/16][32 tiles].
struct CodeMatrix {
  const u32* codes;  ///< [tiles][K/8][32]
  const u8* scales;
  GlobalParts globals;
};

/// `Depth`: units that are loaded ahead.
template <bool Compact, int Depth>
class CodeOperand {
 public:
  static constexpr int depth = Depth;
  static constexpr bool staged = false;

  /// The lane's part of `tile`, from `first_unit` on.
  __device__ __forceinline__ CodeOperand(const CodeMatrix& matrix, u32 tile, u32 tiles, u32 k,
                                         u32 first_unit) {
    if (tile >= tiles) tile = 0;  // past the end: any weights do, nothing is written
    const u32 r = lane_id() / 4, group = first_unit * 4 + lane_id() % 4;
    const u64 group_of_all = static_cast<u64>(tile) * (k / 16) + group;
    codes_ = reinterpret_cast<const u8*>(matrix.codes) + group_of_all * 256 + r * 16;
    if (Compact) {
      scales_ = matrix.scales + group_of_all * 32 + qpn2::lane_of_column(4 * r);
      scale_step_ = 128;
      g_ = matrix.globals.of_tile(tile);
    } else {
      scales_ = matrix.scales + (static_cast<u64>(group) * tiles * 32 + tile * 32 + 4 * r) * 2;
      scale_step_ = tiles * 256;
    }
  }

  /// Asks for the next unit.
  __device__ __forceinline__ void load(int slot, bool wanted) {
    codes_of_[slot][0] = stream_once_v4_if(wanted, codes_);
    codes_of_[slot][1] = stream_once_v4_if(wanted, codes_ + 128);
    if (Compact)
      scales_of_[slot].x = stream_once_u32_if(wanted, scales_);
    else
      scales_of_[slot] = stream_once_v2_if(wanted, scales_);
    codes_ += 1024;
    scales_ += scale_step_;
  }

  /// weights[i][j]: k 8 run + 2j, + 1 of the lane's group in its column i.
  __device__ __forceinline__ void fragments(int slot, int run, const u8*, u32 (&weights)[4][4]) {
    if (run == 0) {
      const uint2 s = scales_of_[slot];
      if (Compact) {
        scale_pairs_[0] = restore_scales(permute_bytes(s.x, 0, 0x4140), g_);
        scale_pairs_[1] = restore_scales(permute_bytes(s.x, 0, 0x4342), g_);
      } else {
        scale_pairs_[0] = s.x, scale_pairs_[1] = s.y;
      }
    }
    const uint4 words = codes_of_[slot][run];
    decode8(words.x, permute_bytes(scale_pairs_[0], 0, 0x1010), weights[0]);
    decode8(words.y, permute_bytes(scale_pairs_[0], 0, 0x3232), weights[1]);
    decode8(words.z, permute_bytes(scale_pairs_[1], 0, 0x1010), weights[2]);
    decode8(words.w, permute_bytes(scale_pairs_[1], 0, 0x3232), weights[3]);
  }

 private:
  const u8* codes_;
  const u8* scales_;
  u32 scale_step_;
  float g_ = 0;
  uint4 codes_of_[depth][2];
  uint2 scales_of_[depth];
  u32 scale_pairs_[2];
};

}  // namespace quadpair::wide
