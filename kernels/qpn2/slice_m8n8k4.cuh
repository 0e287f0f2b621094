// One k-slice of a 32-column tile of QPN2 weights with m8n8k4. A lane's column: in the QPN2 layout 8 bytes of
// its own, in TurboMind's ("shared") a word of each of the group's two runs.
#pragma once

#include "kernels/qpn2/decode.cuh"
#include "kernels/qpn2/sums_m8n8k4.cuh"
#include "kernels/qpn2/tile.cuh"

namespace quadpair::qpn2 {

/// The sums of 8 . RowBlocks rows; weights are decoded once for all of them. `Threads`: of the whole block,
/// which bounds the registers. `Shared`: codes in TurboMind's layout.
template <int Chains, int RowBlocks, int Threads, bool Shared>
class Slice {
 public:
  /// Adds groups [slice . G/slices, (slice + 1) . G/slices), G = k/16.
  __device__ __forceinline__ void accumulate(const Tile& tile, const Rows& rows, u32 k, u32 slice,
                                             u32 slices) {
    const u32 lane = lane_id();
    const u32 groups = k / 16 / slices;
    const u32 first = slice * groups;
    const u8* codes =
        tile.codes + static_cast<u64>(first) * 256 + (Shared ? column_of_lane(lane) * 4 : lane * 8);
    const u8* scales = tile.scales + static_cast<u64>(first) * 32 + lane;
    const u16* x = rows.x + static_cast<u64>(sums_.fragment_row()) * rows.leading + first * 16;

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
      sums_.add_group(rows, x, weights);
      codes += 256;
      scales += 32;
      x += 16;
    }
  }

  /// Writes the sums of a row block to the slice's f32 [8][32].
  __device__ __forceinline__ void store(int block, float* partial) const {
    sums_.store(block, partial);
  }

 private:
  Sums<Chains, RowBlocks> sums_;
};

}  // namespace quadpair::qpn2
