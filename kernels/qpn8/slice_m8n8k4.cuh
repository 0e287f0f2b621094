// One k-slice of a 32-column tile of weights of one byte or two with m8n8k4.
#pragma once

#include "kernels/qpn2/sums_m8n8k4.cuh"

namespace quadpair::qpn8 {

/// The sums of 8 . RowBlocks rows; weights are decoded once for all of them.
template <class Weights, int Slices, int Chains, int RowBlocks>
class Slice {
 public:
  /// Adds groups [slice . G/Slices, (slice + 1) . G/Slices), G = k/16.
  __device__ __forceinline__ void accumulate(const Weights& weights, u32 tile, const qpn2::Rows& rows,
                                             u32 slice) {
    const typename Weights::template Columns<1> column(weights, tile, lane_id());
    const u32 groups = weights.k / 16 / Slices;
    const u32 first = slice * groups;
    const u16* x = rows.x + static_cast<u64>(sums_.fragment_row()) * rows.leading + first * 16;
#pragma unroll(4 / RowBlocks)
    for (u32 group = first; group < first + groups; ++group) {
      const typename Weights::Group loaded = column.load(group, 0);
      u32 w[8];
      loaded.decode(0, w);
      loaded.decode(1, w + 4);
      sums_.add_group(rows, x, w);
      x += 16;
    }
  }

  /// Writes the sums of a row block to the slice's partial sums.
  __device__ __forceinline__ void store(int block, float* partial) const {
    sums_.store(block, partial);
  }

 private:
  qpn2::Sums<Chains, RowBlocks> sums_;
};

}  // namespace quadpair::qpn8
