// A thread block of the sm70 wide kernels: y[Rows, Columns] with m8n8k4, A = 8 rows of x, the same in all
// four quad-pairs, B = the 8 columns of each. A warp sums one 32-column tile and all rows of the block. x is
// staged in shared memory in two buffers; registers carry the next unit of 64 k while this one is summed.
#pragma once

#include "kernels/wide/staged_rows.cuh"
#include "kernels/wide/store.cuh"

namespace quadpair::wide {

/// `Operand`: the weights (codes_m8n8k4.cuh, or dense/rows_m8n8k4.cuh).
template <class Operand, int Rows, int Columns>
class Tile {
 public:
  static constexpr BlockShape shape{Rows, Columns, 1, Operand::dense, false};
  static constexpr int warps = Columns / 32;
  static constexpr int threads = warps * 32;

  /// `shared`: shape.bytes() bytes. k ascends in steps of 4 in the only chain.
  __device__ __forceinline__ void accumulate(Operand& weights, const SourceRows& x, u8* shared, u32 units) {
    RowCopier<Rows, threads, RowKey> copier(threadIdx.x, x);
    uint4 carried[decltype(copier)::pieces];
    const auto fetch = [&] {
      copier.next_unit(
          [&](int i, u32, const u16* source, bool present) { carried[i] = load_v4_if(present, source); });
    };
    const auto keep = [&](u8* stage) {
      copier.each_place([&](int i, u32 offset) { *reinterpret_cast<uint4*>(stage + offset) = carried[i]; });
    };

    fetch();
#pragma unroll
    for (int group = 0; group < 4; ++group) weights.load(group);
    keep(shared);
    weights.keep(shared + Rows * row_bytes);
#pragma unroll 1
    for (u32 unit = 0; unit < units; ++unit) {
      u8* const stage = shared + unit % 2 * shape.stage_bytes();
      u8* const other = shared + (unit + 1) % 2 * shape.stage_bytes();
      // The unit's rows have arrived, and all warps are done with the unit before, whose buffer is filled
      // below.
      __syncthreads();
      const bool more = unit + 1 < units;
      if (more) fetch();
      add_unit(weights, stage, more);
      if (more) {
        keep(other);
        weights.keep(other + Rows * row_bytes);
      }
    }
  }

  __device__ __forceinline__ void store(const Output<2>& y, u32 first_column) const {
    const u32 lane = lane_id(), first = first_column + warp_id() * 32;
#pragma unroll
    for (int block = 0; block < Rows / 8; ++block)
#pragma unroll
      for (int i = 0; i < 8; i += 2) {
        const u32 row = 8 * block + (lane & 1) + (i & 2) + (lane >= 16 ? 4 : 0);
        const u32 column = 8 * (lane / 4 % 4) + (i & 4) + (lane & 2);
        const float sums[2] = {sums_[block][i], sums_[block][i + 1]};
        y.store(row, first + column, sums);
      }
  }

 private:
  static_assert(Rows % 8 == 0 && Columns % 32 == 0);

  /// Adds the unit in a buffer and asks for the weights of the next one.
  __device__ __forceinline__ void add_unit(Operand& weights, const u8* stage, bool more) {
    const u32 lane = lane_id(), row = lane % 4 + (lane >= 16 ? 4 : 0);
#pragma unroll
    for (int group = 0; group < 4; ++group) {
      u32 w[8];
      weights.fragments(group, stage + Rows * row_bytes, w);
      if (more) weights.load(group);
      const u8* low = stage + chunk_offset(row, RowKey::of(row), 2 * group);
      const u8* high = stage + chunk_offset(row, RowKey::of(row), 2 * group + 1);
#pragma unroll
      for (int block = 0; block < Rows / 8; ++block) {
        const uint4 a = *reinterpret_cast<const uint4*>(low + block * (8 * row_bytes));
        const uint4 b = *reinterpret_cast<const uint4*>(high + block * (8 * row_bytes));
        mma_m8n8k4(sums_[block], a.x, a.y, w[0], w[1]);
        mma_m8n8k4(sums_[block], a.z, a.w, w[2], w[3]);
        mma_m8n8k4(sums_[block], b.x, b.y, w[4], w[5]);
        mma_m8n8k4(sums_[block], b.z, b.w, w[6], w[7]);
      }
    }
  }

  float sums_[Rows / 8][8] = {};
};

}  // namespace quadpair::wide
