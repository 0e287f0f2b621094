// A thread block of the native wide kernels: y[Rows, Columns] with m16n8k16, A = 16 output features, B = 8
// rows of x. A warp sums one 32-column tile, all rows of the block and one slice of k. x is staged in shared
// memory, units of 64 k ahead; lane (r, t) takes whole group t of a unit, so 16 bytes of shared memory serve
// two steps.
#pragma once

#include "kernels/wide/staged_rows.cuh"
#include "kernels/wide/store.cuh"

namespace quadpair::wide {

/// `Operand`: the weights (codes_m16n8k16.cuh, or dense/rows_m16n8k16.cuh).
template <class Operand, int Rows, int Columns, int Slices>
class Tile {
 public:
  static constexpr BlockShape shape{Rows, Columns, Slices, Operand::dense, true};
  static constexpr int warps = Columns / 32;  ///< of one slice
  static constexpr int threads = warps * Slices * 32;

  /// `shared`: shape.bytes() bytes. Sums units [first, first + count) of the warp's slice, `most` being the
  /// greatest count of a slice. Step j of a unit, on k 4j..4j+3 of each of its four groups, extends the only
  /// chain.
  __device__ __forceinline__ void accumulate(Operand& weights, const SourceRows& x, u8* shared, u32 first,
                                             u32 count) {
    constexpr int stages = shape.stages();
    u8* const own = shared + threadIdx.x / (warps * 32) * shape.slice_bytes();  // in the first stage
    const u32 own_address = static_cast<u32>(__cvta_generic_to_shared(own));
    RowCopier<Rows, warps * 32, RowKey> copier(threadIdx.x % (warps * 32),
                                               {x.x + static_cast<u64>(first) * unit_k, x.leading, x.count});
    const auto stage = [&](u32 index) {
      const u32 base = own_address + index * shape.stage_bytes();
      copier.next_unit([&](int, u32 offset, const u16* source, bool present) {
        copy_async_16(base + offset, source, present);
      });
      weights.stage(base + Rows * row_bytes);
    };

#pragma unroll
    for (int i = 0; i < stages - 1; ++i) {
      if (i < count) stage(i);
      end_copy_group();
    }
    u32 current = 0;  // the stage that holds the unit
#pragma unroll 1
    for (u32 unit = 0; unit < count; ++unit) {
      // One group a unit: the wait leaves the thread's copies of this unit complete. The barrier makes those
      // of all the slice's threads visible, and says that its warps are done with the unit before, whose
      // stage is filled next. Slices share no stage, and so need not wait for each other.
      wait_for_copy_groups<stages - 2>();
      if constexpr (Slices == 1)
        __syncthreads();
      else
        synchronize<warps * 32>(1 + threadIdx.x / (warps * 32));
      if (unit + stages - 1 < count) stage(current == 0 ? stages - 1 : current - 1);
      end_copy_group();
      add_unit(weights, own + current * shape.stage_bytes());
      current = current + 1 == stages ? 0 : current + 1;
    }
  }

  /// Rounds and writes the sums of a block with one slice.
  __device__ __forceinline__ void store(const Output<4>& y, u32 first_column) const {
    for_each_four(
        [&](u32 row, u32 column, const float(&sums)[4]) { y.store(row, first_column + column, sums); });
  }

  /// Adds the slices' sums in ascending order, starting from +0.0, rounds and writes them.
  __device__ __forceinline__ void reduce(const Output<4>& y, u32 first_column, u8* shared) const {
    constexpr u32 leading = shape.sum_leading();
    float* partial = reinterpret_cast<float*>(shared);
    const u32 slice = threadIdx.x / (warps * 32);
    __syncthreads();  // all warps have read the staged rows, which the sums replace
    for_each_four([&](u32 row, u32 column, const float(&sums)[4]) {
      *reinterpret_cast<float4*>(partial + (slice * Rows + row) * leading + column) =
          make_float4(sums[0], sums[1], sums[2], sums[3]);
    });
    __syncthreads();  // the sums of all slices are there
#pragma unroll 1
    for (u32 i = threadIdx.x; i < Rows * Columns / 4; i += threads) {
      const u32 row = i / (Columns / 4), column = i % (Columns / 4) * 4;
      float sums[4] = {};
#pragma unroll
      for (int s = 0; s < Slices; ++s) {
        const float4 part = *reinterpret_cast<const float4*>(partial + (s * Rows + row) * leading + column);
        sums[0] = __fadd_rn(sums[0], part.x), sums[1] = __fadd_rn(sums[1], part.y);
        sums[2] = __fadd_rn(sums[2], part.z), sums[3] = __fadd_rn(sums[3], part.w);
      }
      y.store(row, first_column + column, sums);
    }
  }

 private:
  static constexpr int row_blocks = Rows / 8;
  static_assert(Rows % 8 == 0 && Columns % 32 == 0);

  /// Visits (row, column in the block, sums of it and the next three columns).
  template <class Visit>
  __device__ __forceinline__ void for_each_four(Visit visit) const {
    const u32 r = lane_id() / 4, t = lane_id() % 4;
    const u32 column = threadIdx.x / 32 % warps * 32 + 4 * r;
#pragma unroll
    for (int block = 0; block < row_blocks; ++block)
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const float sums[4] = {sums_[0][block][i], sums_[0][block][2 + i], sums_[1][block][i],
                               sums_[1][block][2 + i]};
        visit(8 * block + 2 * t + i, column, sums);
      }
  }

  /// Adds the unit in a stage.
  __device__ __forceinline__ void add_unit(Operand& weights, const u8* stage) {
    const u32 r = lane_id() / 4, t = lane_id() % 4;
    const u8* const staged_weights = stage + Rows * row_bytes;
    weights.begin(staged_weights);
#pragma unroll
    for (int run = 0; run < 2; ++run) {
      u32 w[4][4];
      weights.fragments(staged_weights, run, w);
      const u8* chunks = stage + chunk_offset(r, RowKey::of(r), 2 * t + run);
#pragma unroll
      for (int block = 0; block < row_blocks; ++block) {
        const uint4 b = *reinterpret_cast<const uint4*>(chunks + block * (8 * row_bytes));
        mma_m16n8k16(sums_[0][block], w[0][0], w[1][0], w[0][1], w[1][1], b.x, b.y);
        mma_m16n8k16(sums_[1][block], w[2][0], w[3][0], w[2][1], w[3][1], b.x, b.y);
        mma_m16n8k16(sums_[0][block], w[0][2], w[1][2], w[0][3], w[1][3], b.z, b.w);
        mma_m16n8k16(sums_[1][block], w[2][2], w[3][2], w[2][3], w[3][3], b.z, b.w);
      }
    }
  }

  float sums_[2][row_blocks][4] = {};  ///< [columns 4r and 4r + 1, or + 2 and + 3]
};

}  // namespace quadpair::wide
