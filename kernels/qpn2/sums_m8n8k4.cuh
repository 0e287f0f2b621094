// The sums of a k-slice of a 32-column tile with Volta's m8n8k4: A = 8 activation rows, the same in all four
// quad-pairs; B = the 8 weight columns of each quad-pair. Lane l holds column_of_lane(l).
#pragma once

#include "kernels/qpn2/partial_sums.cuh"
#include "kernels/qpn2/tile.cuh"

namespace quadpair::qpn2 {

/// Of 8 . RowBlocks rows, from +0.0.
template <int Chains, int RowBlocks>
class Sums {
 public:
  /// The row of a block whose activations the lane brings.
  static __device__ __forceinline__ u32 fragment_row() { return lane_id() % 4 + (lane_id() >= 16 ? 4 : 0); }

  /// Adds a group of 16 k: step q, on k 4q..4q+3, extends chain q mod Chains. `x` is the lane's row of the
  /// first block from the group on; weights[j] are k 2j, 2j + 1 of its column.
  __device__ __forceinline__ void add_group(const Rows& rows, const u16* x, const u32 (&weights)[8]) {
    const u32 row = fragment_row();
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
  float sums_[Chains][RowBlocks][8] = {};
};

}  // namespace quadpair::qpn2
