// One k-slice of a 32-column tile with Volta's m8n8k4: A = 8 activation rows, the same in all four
// quad-pairs; B = the 8 weight columns of each quad-pair. Lane l holds the column at place l.
#pragma once

#include "kernels/qpn2/partial_sums.cuh"
#include "kernels/qpn2/tile.cuh"

namespace quadpair::qpn8 {

/// The sums of 8 . RowBlocks rows; weights are decoded once for all of them.
template <class Weights, int Slices, int Chains, int RowBlocks>
class Slice {
 public:
  /// Adds groups [slice . G/Slices, (slice + 1) . G/Slices), G = k/16: step q of a group, on k 4q..4q+3,
  /// extends chain q mod Chains.
  __device__ __forceinline__ void accumulate(const Weights& weights, u32 tile, const qpn2::Rows& rows,
                                             u32 slice) {
    const u32 lane = lane_id();
    const typename Weights::template Columns<1> column(weights, tile, lane);
    const u32 groups = weights.k / 16 / Slices;
    const u32 first = slice * groups;
    const u32 row = lane % 4 + (lane >= 16 ? 4 : 0);
    const u16* x = rows.x + static_cast<u64>(row) * rows.leading + first * 16;
#pragma unroll(4 / RowBlocks)
    for (u32 group = first; group < first + groups; ++group) {
      const typename Weights::Group loaded = column.load(group, 0);
      u32 w[8];
      loaded.decode(0, w);
      loaded.decode(1, w + 4);
#pragma unroll
      for (int block = 0; block < RowBlocks; ++block) {
        const bool present = row + 8 * block < rows.count;
        const u16* address = x + static_cast<u64>(8 * block) * rows.leading;
        const uint4 low = load_v4_if(present, address);
        const uint4 high = load_v4_if(present, address + 8);
        mma_m8n8k4(sums_[0][block], low.x, low.y, w[0], w[1]);
        mma_m8n8k4(sums_[1 % Chains][block], low.z, low.w, w[2], w[3]);
        mma_m8n8k4(sums_[0][block], high.x, high.y, w[4], w[5]);
        mma_m8n8k4(sums_[1 % Chains][block], high.z, high.w, w[6], w[7]);
      }
      x += 16;
    }
  }

  /// Writes chain 0 + chain 1 of a row block to the slice's partial sums.
  __device__ __forceinline__ void store(int block, float* partial) const {
    const u32 lane = lane_id();
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const u32 row = (lane & 1) + (i & 2) + (lane >= 16 ? 4 : 0);
      const u32 column = 8 * (lane / 4 % 4) + (i & 4) + (lane & 2) + (i & 1);
      float sum = sums_[0][block][i];
      if (Chains == 2) sum = __fadd_rn(sum, sums_[Chains - 1][block][i]);
      partial[qpn2::partial_index(row, column)] = sum;
    }
  }

 private:
  float sums_[Chains][RowBlocks][8] = {};
};

}  // namespace quadpair::qpn8
