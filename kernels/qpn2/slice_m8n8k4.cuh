// One k-slice of a 32-column tile with Volta's m8n8k4: A = 8 activation rows, the same in all four
// quad-pairs; B = the 8 weight columns of each quad-pair. Lane l holds column_of_lane(l): in the QPN2 layout
// 8 bytes of its own, in TurboMind's ("shared") a word of each of the group's two runs.
#pragma once

#include "kernels/qpn2/decode.cuh"
#include "kernels/qpn2/partial_sums.cuh"
#include "kernels/qpn2/tile.cuh"

namespace quadpair::qpn2 {

/// The sums of 8 . RowBlocks rows; weights are decoded once for all of them. `Threads`: of the whole block,
/// which bounds the registers. `Shared`: codes in TurboMind's layout.
template <int Chains, int RowBlocks, int Threads, bool Shared>
class Slice {
 public:
  /// Adds groups [slice . G/slices, (slice + 1) . G/slices), G = k/16: step q of a group, on k 4q..4q+3,
  /// extends chain q mod Chains.
  __device__ __forceinline__ void accumulate(const Tile& tile, const Rows& rows, u32 k, u32 slice,
                                             u32 slices) {
    const u32 lane = lane_id();
    const u32 groups = k / 16 / slices;
    const u32 first = slice * groups;
    const u32 row = fragment_row(lane);
    const u8* codes =
        tile.codes + static_cast<u64>(first) * 256 + (Shared ? column_of_lane(lane) * 4 : lane * 8);
    const u8* scales = tile.scales + static_cast<u64>(first) * 32 + lane;
    const u16* x = rows.x + static_cast<u64>(row) * rows.leading + first * 16;

#pragma unroll(4 / RowBlocks)
    for (u32 group = 0; group < groups; ++group) {
      const uint2 words =
          Shared ? make_uint2(load_once_u32(codes), load_once_u32(codes + 128)) : load_once_v2(codes);
#ifdef QUADPAIR_DAMAGE_SWAPPED_SCALES
      const u32 byte = load_u8(scales + (groups < 2 || group > 1 ? 0 : group == 0 ? 32 : -32));
#else
      const u32 byte = load_u8(scales);
#endif
      const u32 scale = block_scales(byte * 0x10001u, tile.global);
      u32 weights[8];
      decode8(words.x, scale, weights);
      decode8(words.y, scale, weights + 4);
#pragma unroll
      for (int block = 0; block < RowBlocks; ++block) {
        const bool present = row + 8 * block < rows.count;
        const u16* address = x + static_cast<u64>(8 * block) * rows.leading;
        const uint4 low = load_v4_if(present, address);
        const uint4 high = load_v4_if(present, address + 8);
        mma_m8n8k4(sums_[0][block], low.x, low.y, weights[0], weights[1]);
        mma_m8n8k4(sums_[1 % Chains][block], low.z, low.w, weights[2], weights[3]);
        mma_m8n8k4(sums_[0][block], high.x, high.y, weights[4], weights[5]);
        mma_m8n8k4(sums_[1 % Chains][block], high.z, high.w, weights[6], weights[7]);
      }
      codes += 256;
      scales += 32;
      x += 16;
    }
  }

  /// Writes chain 0 + chain 1 of a row block to the slice's f32 [8][32].
  __device__ __forceinline__ void store(int block, float* partial) const {
    const u32 lane = lane_id();
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const u32 row = (lane & 1) + (i & 2) + (lane >= 16 ? 4 : 0);
      const u32 column = 8 * (lane / 4 % 4) + (i & 4) + (lane & 2) + (i & 1);
      float sum = sums_[0][block][i];
      if (Chains == 2) sum = __fadd_rn(sum, sums_[Chains - 1][block][i]);
      partial[partial_index(row, column)] = sum;
    }
  }

 private:
  static __device__ __forceinline__ u32 fragment_row(u32 lane) {
    return lane % 4 + (lane >= 16 ? 4 : 0);
  }

  float sums_[Chains][RowBlocks][8] = {};
};

}  // namespace quadpair::qpn2
