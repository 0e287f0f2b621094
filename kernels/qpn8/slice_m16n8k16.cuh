// One k-slice of a 32-column tile with m16n8k16: A = 16 output features, B = 8 activation rows. Lane (r, t)
// of the warp (r = lane / 4, t = lane % 4) holds whole groups, 4u + t of a unit u of 64 k, of the four
// columns at places r, r + 8, r + 16 and r + 24 of the tile: every load of eight lanes is contiguous.
#pragma once

#include "kernels/qpn2/partial_sums.cuh"
#include "kernels/qpn2/tile.cuh"

namespace quadpair::qpn8 {

/// The sums of 8 . RowBlocks rows; weights are decoded once for all of them.
template <class Weights, int Slices, int Chains, int RowBlocks>
class Slice {
 public:
  /// Adds units [slice . U/Slices, (slice + 1) . U/Slices), U = k/64: step j of a unit, on k 4j..4j+3 of each
  /// of its four groups, extends chain j mod Chains.
  __device__ __forceinline__ void accumulate(const Weights& weights, u32 tile, const qpn2::Rows& rows,
                                             u32 slice) {
    const u32 units = weights.k / 64, first = slice * units / Slices, end = (slice + 1) * units / Slices;
    if (first == end) return;
    const u32 r = lane_id() / 4, t = lane_id() % 4;
    const Columns columns(weights, tile, r);
    const u16* x = rows.x + static_cast<u64>(r) * rows.leading + (first * 4 + t) * 16;
    Group groups[4];
    if constexpr (early) {
#pragma unroll
      for (int i = 0; i < 4; ++i) groups[i] = columns.load(first * 4 + t, i);
    }
#pragma unroll 1
    for (u32 unit = first; unit < end; ++unit) {
      uint4 tokens[RowBlocks][2];
#pragma unroll
      for (int block = 0; block < RowBlocks; ++block)
#pragma unroll
        for (int run = 0; run < 2; ++run)
          tokens[block][run] = load_v4_if(r + 8 * block < rows.count,
                                          x + static_cast<u64>(8 * block) * rows.leading + 8 * run);
#pragma unroll
      for (int piece = 0; piece < 2; ++piece) {
        Group& low = groups[2 * piece];  // features r and r + 8 of the piece
        Group& high = groups[2 * piece + 1];
        if constexpr (!early) {
          low = columns.load(unit * 4 + t, 2 * piece);
          high = columns.load(unit * 4 + t, 2 * piece + 1);
        }
        u32 of_low[2][4], of_high[2][4];
#pragma unroll
        for (int run = 0; run < 2; ++run) {
          low.decode(run, of_low[run]);
          high.decode(run, of_high[run]);
        }
        if (early && unit + 1 < end) {
          low = columns.load((unit + 1) * 4 + t, 2 * piece);
          high = columns.load((unit + 1) * 4 + t, 2 * piece + 1);
        }
#pragma unroll
        for (int run = 0; run < 2; ++run)
#pragma unroll
          for (int block = 0; block < RowBlocks; ++block) {
            const uint4 b = tokens[block][run];
            mma_m16n8k16(sums_[0][piece][block], of_low[run][0], of_high[run][0], of_low[run][1],
                         of_high[run][1], b.x, b.y);
            mma_m16n8k16(sums_[1 % Chains][piece][block], of_low[run][2], of_high[run][2], of_low[run][3],
                         of_high[run][3], b.z, b.w);
          }
      }
      x += 64;
    }
  }

  /// Writes chain 0 + chain 1 of a row block to the slice's partial sums.
  __device__ __forceinline__ void store(int block, float* partial) const {
    const u32 r = lane_id() / 4, t = lane_id() % 4;
#pragma unroll
    for (int piece = 0; piece < 2; ++piece)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        float sum = sums_[0][piece][block][i];
        if (Chains == 2) sum = __fadd_rn(sum, sums_[Chains - 1][piece][block][i]);
        partial[qpn2::partial_index(2 * t + i % 2, qpn2::column_of_lane(16 * piece + 8 * (i / 2) + r))] = sum;
      }
  }

 private:
  using Columns = typename Weights::template Columns<4>;
  using Group = typename Weights::Group;

  /// Whether registers allow to ask for the next unit's weights as soon as this one's are decoded.
  static constexpr bool early = Slices < 32;

  float sums_[Chains][2][RowBlocks][4] = {};
};

}  // namespace quadpair::qpn8
