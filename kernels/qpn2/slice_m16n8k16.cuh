// One k-slice of a 32-column tile with the native m16n8k16: A = 16 output features, B = 8 activation rows.
// Lane (r, t) of a warp (r = lane / 4, t = lane % 4) decodes whole groups: group 4u + t of a unit of 64 k,
// for the columns that stand at places 2r, 2r + 1, 16 + 2r and 17 + 2r of the QPN2 lane order. One scale
// decode serves 16 weights, nothing is shuffled, and every load is coalesced.
#pragma once

#include "kernels/qpn2/decode.cuh"
#include "kernels/qpn2/partial_sums.cuh"
#include "kernels/qpn2/tile.cuh"

namespace quadpair::qpn2 {

/// The sums of 8 . RowBlocks rows; weights are decoded once for all of them. `Threads`: of the whole block,
/// which bounds the registers.
template <int Chains, int RowBlocks, int Threads>
class Slice {
 public:
  /// Adds units [slice . U/slices, (slice + 1) . U/slices), U = k/64: step j of a unit, on k 4j..4j+3 of
  /// each of its four groups, extends chain j mod Chains.
  __device__ __forceinline__ void accumulate(const Tile& tile, const Rows& rows, u32 k, u32 slice,
                                             u32 slices) {
    const u32 r = lane_id() / 4, t = lane_id() % 4;
    const u32 units = k / 64;
    const u32 first = slice * units / slices;
    const u32 count = (slice + 1) * units / slices - first;
    if (count == 0) return;
    const u64 first_group = static_cast<u64>(first) * 4 + t;
    const u8* codes = tile.codes + first_group * 256 + r * 16;
#ifdef QUADPAIR_DAMAGE_SWAPPED_SCALES
    const u8* scales = tile.scales + (first_group ^ 1) * 32 + r * 2;
#else
    const u8* scales = tile.scales + first_group * 32 + r * 2;
#endif
    const u16* x = rows.x + static_cast<u64>(r) * rows.leading + first_group * 16;

    Packed next[2];
    if (prefetch) load_unit(next, codes, scales);
#pragma unroll 1
    for (u32 unit = 0; unit < count; ++unit) {
      Packed packed[2] = {next[0], next[1]};
      if (!prefetch) load_unit(packed, codes, scales);
      codes += 1024;
      scales += 128;
      if (prefetch && unit + 1 < count) load_unit(next, codes, scales);
      const u32 global = tile.global;
      const u32 columns[2] = {column_scales(packed[0], global), column_scales(packed[1], global)};
#pragma unroll
      for (int run = 0; run < 2; ++run) {  // of 8 k
        uint4 tokens[RowBlocks];
#pragma unroll
        for (int block = 0; block < RowBlocks; ++block)
          tokens[block] = load_v4_if(r + 8 * block < rows.count,
                                     x + static_cast<u64>(8 * block) * rows.leading + 8 * run);
#pragma unroll
        for (int half = 0; half < 2; ++half) add(run, half, packed[half].codes, columns[half], tokens);
      }
      x += 64;
    }
  }

  /// Writes chain 0 + chain 1 of a row block to the slice's f32 [8][32].
  __device__ __forceinline__ void store(int block, float* partial) const {
    const u32 r = lane_id() / 4, t = lane_id() % 4;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const u32 row = 2 * t + (i & 1);
        const u32 column = 8 * (r / 2) + 2 * (r % 2) + i / 2 + 4 * half;  // of place 16 half + 2r + i/2
        float sum = sums_[0][block][half][i];
        if (Chains == 2) sum = __fadd_rn(sum, sums_[Chains - 1][block][half][i]);
        partial[partial_index(row, column)] = sum;
      }
    }
  }

 private:
  /// The next unit's weights are on their way while one is decoded, where 64 registers are left beside the
  /// sums and the activations.
  static constexpr bool prefetch = 65536 / Threads - 8 * RowBlocks * (Chains + 1) >= 64;

  /// Two columns of one group: places 2r and 2r + 1 of the lane order (half 0), or 16 + 2r and 17 + 2r.
  struct Packed {
    uint4 codes;
    u32 scales;
  };

  static __device__ __forceinline__ void load_unit(Packed (&packed)[2], const u8* codes, const u8* scales) {
#pragma unroll
    for (int half = 0; half < 2; ++half)
      packed[half] = {load_once_v4(codes + 128 * half), load_u16(scales + 16 * half)};
  }

  /// s of the two columns.
  static __device__ __forceinline__ u32 column_scales(const Packed& packed, u32 global) {
    return block_scales(permute_bytes(packed.scales, 0, 0x4140), global);
  }

  /// Adds steps 2 run and 2 run + 1 for half of the columns. `tokens[b]` is k 8 run..8 run + 7 of the lane's
  /// group in its activation row of block b.
  __device__ __forceinline__ void add(int run, int half, const uint4& codes, u32 scales,
                                      const uint4 (&tokens)[RowBlocks]) {
    u32 even[4], odd[4];  // the lane's two columns
    decode8(run == 0 ? codes.x : codes.y, permute_bytes(scales, 0, 0x1010), even);
    decode8(run == 0 ? codes.z : codes.w, permute_bytes(scales, 0, 0x3232), odd);
#pragma unroll
    for (int block = 0; block < RowBlocks; ++block) {
      const uint4 b = tokens[block];
      mma_m16n8k16(sums_[0][block][half], even[0], odd[0], even[1], odd[1], b.x, b.y);
      mma_m16n8k16(sums_[1 % Chains][block][half], even[2], odd[2], even[3], odd[3], b.z, b.w);
    }
  }

  float sums_[Chains][RowBlocks][2][4] = {};
};

}  // namespace quadpair::qpn2
