// A thread block of the dense product by warpgroups: y[Rows, Columns] with wgmma m64nColumnsk16, A = rows of
// x, B = features, both in shared memory, which one more warpgroup fills by asynchronous copies. A step sums
// 16 neighbouring k.
#pragma once

#include "kernels/common/wgmma_staged.cuh"
#include "kernels/dense/copied_rows.cuh"
#include "kernels/dense/warpgroup_shape.hpp"
#include "kernels/wide/store.cuh"

namespace quadpair::dense {

template <int Rows, int Columns>
class WarpgroupTile {
 public:
  static constexpr WarpgroupShape shape{Rows, Columns};

  /// For the threads from shape.consumers() on. `shared`: shape.bytes() bytes.
  static __device__ __forceinline__ void produce(const wide::SourceRows& x, const wide::SourceRows& w,
                                                 u8* shared, u32 units) {
    if constexpr (moves_registers) asm volatile("setmaxnreg.dec.sync.aligned.u32 120;");
    const u32 thread = threadIdx.x - shape.consumers();
    CopiedRows<Rows, InOrder> rows(thread, x);
    CopiedRows<Columns, ByLanes> features(thread, w);
    const u32 first_stage = static_cast<u32>(__cvta_generic_to_shared(shared));
    u32 stage = 0;
#pragma unroll 1
    for (u32 unit = 0; unit < units + lag; ++unit) {
      // Units unit - lag and before are there; those after may still be on their way.
      if (unit >= lag) {
        wait_for_copy_groups<lag - 1>();
        fence_for_products();
        arrive<all>(filled(stage >= lag ? stage - lag : stage + stages - lag));
      }
      if (unit < units) {
        // The consumers have waited for their products of the unit that the stage held before.
        if (unit >= stages) synchronize<all>(emptied(stage));
        rows.copy(first_stage + stage * shape.stage_bytes());
        features.copy(first_stage + stage * shape.stage_bytes() + Rows * wide::row_bytes);
      }
      end_copy_group();
      stage = stage + 1 == stages ? 0 : stage + 1;
    }
  }

  /// For the threads before.
  __device__ __forceinline__ void consume(u8* shared, u32 units) {
    if constexpr (moves_registers) asm volatile("setmaxnreg.inc.sync.aligned.u32 192;");
    const u32 first = static_cast<u32>(__cvta_generic_to_shared(shared));
    const u64 rows = rows_descriptor(first + warp_id() / 4 * (blocks * 64 * wide::row_bytes)),
              features = rows_descriptor(first + Rows * wide::row_bytes);
    u32 stage = 0;
#pragma unroll 1
    for (u32 unit = 0; unit < units; ++unit) {
      const u64 behind = stage * (shape.stage_bytes() >> 4);
      synchronize<all>(filled(stage));
      fence_products();
#pragma unroll
      for (int step = 0; step < 4; ++step)
#pragma unroll
        for (int block = 0; block < blocks; ++block)
          multiply_staged<Columns>(sums_[block],
                                   rows + behind + block * (64 * wide::row_bytes >> 4) + 2 * step,
                                   features + behind + 2 * step);
      end_product_group();
      wait_for_product_groups<1>();
      // All products of the unit before are done: its stage may be filled again.
      if (unit > 0 && unit - 1 + stages < units) arrive<all>(emptied(stage == 0 ? stages - 1 : stage - 1));
      stage = stage + 1 == stages ? 0 : stage + 1;
    }
    wait_for_product_groups<0>();
  }

  /// Of the lane's sums those of four blocks of columns are of eight neighbouring features (ByLanes).
  __device__ __forceinline__ void store(const wide::Output<8>& y, u32 first_column) const {
    const u32 row = warp_id() / 4 * (blocks * 64) + warp_id() % 4 * 16 + lane_id() / 4;
    const u32 column = first_column + lane_id() % 4 * 8;
#pragma unroll
    for (int half = 0; half < 2 * blocks; ++half)
#pragma unroll
      for (int four = 0; four < Columns / 32; ++four) {
        float sums[8];
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[j] = sums_[half / 2][4 * four + j / 2][half % 2 * 2 + j % 2];
        y.store(row + half / 2 * 64 + half % 2 * 8, column + 32 * four, sums);
      }
  }

 private:
  static constexpr int stages = shape.stages(), blocks = shape.blocks();
  static constexpr int lag = stages - 2;  ///< units whose copies are on their way
  static constexpr int all = shape.threads();
  static_assert(Rows % 64 == 0 && Columns % 32 == 0 && lag >= 1 && 1 + 2 * stages <= 16);

  /// Barriers, of all threads: a stage has its rows, or nobody reads them any more.
  static __device__ __forceinline__ u32 filled(u32 stage) {
    return 1 + stage;
  }
  static __device__ __forceinline__ u32 emptied(u32 stage) {
    return 1 + stages + stage;
  }

  /// Where sums fill the consumers' registers: of the 168 that each of 384 threads begins with, the producers
  /// hand over what they do not need.
  static constexpr bool moves_registers = blocks * Columns > 256;
  static_assert(!moves_registers || 192 * shape.consumers() + 120 * shape.producers <= 168 * shape.threads());

  float sums_[blocks][Columns / 8][4] = {};
};

}  // namespace quadpair::dense
