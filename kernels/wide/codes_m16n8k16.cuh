// TurboMind codes as the left operand of m16n8k16: one 32-column tile a warp. Lane (r, t), r = lane / 4, t =
// lane % 4, decodes columns 4r..4r+3 of group 4u + t of unit u: 16 bytes of each run. The warp copies them
// into shared memory, units ahead, and registers are left for the sums. Eight neighbouring lanes copy 128
// bytes that lie on end both there and here, since the hardware makes one request of each pair of a line read
// and a sector written; among these 128 bytes those of r stand at r ^ 2t, so that no lanes that load together
// meet in a bank.
#pragma once

#include "kernels/qpn2/tile.cuh"
#include "kernels/wide/code_matrix.cuh"
#include "kernels/wide/decode.cuh"
#include "kernels/wide/shared_memory.hpp"

namespace quadpair::wide {

template <bool Compact>
class CodeOperand {
 public:
  static constexpr bool dense = false;

  /// The lane's part of `tile`, from `first_unit` on. `warp` of the slice's warps.
  __device__ __forceinline__ CodeOperand(const CodeMatrix& matrix, u32 tile, u32 tiles, u32 k, u32 first_unit,
                                         u32 warp)
      : place_(warp * code_bytes_of_warp + place_of(lane_id() / 4, lane_id() % 4)),
        copy_place_(warp * code_bytes_of_warp + place_of(lane_id() % 8, lane_id() / 8)),
        scale_place_(warp * code_bytes_of_warp + 1024 + lane_id() * 8) {
    if (tile >= tiles) tile = 0;  // past the end: any weights do, nothing is written
    const u32 r = lane_id() / 4, group = first_unit * 4 + lane_id() % 4;
    const u64 groups_before = static_cast<u64>(tile) * (k / 16);
    codes_ = reinterpret_cast<const u8*>(matrix.codes) +
             (groups_before + first_unit * 4 + lane_id() / 8) * 256 + lane_id() % 8 * 16;
    if (Compact) {
      scales_ = matrix.scales + (groups_before + group) * 32 + qpn2::lane_of_column(4 * r);
      scale_step_ = 128;
      g_ = matrix.globals.of_tile(tile);
    } else {
      scales_ = matrix.scales + (static_cast<u64>(group) * tiles * 32 + tile * 32 + 4 * r) * 2;
      scale_step_ = tiles * 256;
    }
  }

  /// Starts to copy the next unit to `base`, an address in shared memory.
  __device__ __forceinline__ void stage(u32 base) {
    copy_async_16(base + copy_place_, codes_);
    copy_async_16(base + copy_place_ + 512, codes_ + 128);
    if (Compact)
      copy_async_4(base + scale_place_, scales_);
    else
      copy_async_8(base + scale_place_, scales_);
    codes_ += 1024;
    scales_ += scale_step_;
  }

  /// Takes the scales of the unit that stage() has copied to `stage`.
  __device__ __forceinline__ void begin(const u8* stage) {
    if (Compact) {
      const u32 bytes = *reinterpret_cast<const u32*>(stage + scale_place_);
      pairs_[0] = restore_scales(permute_bytes(bytes, 0, 0x4140), g_);
      pairs_[1] = restore_scales(permute_bytes(bytes, 0, 0x4342), g_);
    } else {
      const uint2 halves = *reinterpret_cast<const uint2*>(stage + scale_place_);
      pairs_[0] = halves.x, pairs_[1] = halves.y;
    }
  }

  /// weights[i][j]: k 8 run + 2j, + 1 of the lane's group in its column i.
  __device__ __forceinline__ void fragments(const u8* stage, int run, u32 (&weights)[4][4]) const {
    const uint4 words = *reinterpret_cast<const uint4*>(stage + place_ + 512 * run);
    decode8(words.x, permute_bytes(pairs_[0], 0, 0x1010), weights[0]);
    decode8(words.y, permute_bytes(pairs_[0], 0, 0x3232), weights[1]);
    decode8(words.z, permute_bytes(pairs_[1], 0, 0x1010), weights[2]);
    decode8(words.w, permute_bytes(pairs_[1], 0, 0x3232), weights[3]);
  }

 private:
  /// In a run of a stage, of group t's codes for columns 4r..4r+3.
  static __device__ __forceinline__ u32 place_of(u32 r, u32 t) { return t * 128 + (r ^ 2 * t) * 16; }

  u32 place_;        ///< in a stage, of the codes that the lane decodes
  u32 copy_place_;   ///< and of those that it copies
  u32 scale_place_;  ///< after the codes, in the same kilobyte and a quarter: 8 bytes a lane
  const u8* codes_;
  const u8* scales_;
  u32 scale_step_;
  float g_ = 0;
  u32 pairs_[2];  ///< scales of columns 4r, 4r + 1 and 4r + 2, 4r + 3
};

}  // namespace quadpair::wide
