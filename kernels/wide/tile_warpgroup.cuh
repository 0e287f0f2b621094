// A thread block of the wide kernels that multiply by warpgroups: y[Rows, Columns] with wgmma m64nRowsk16, A
// = output features, decoded in registers while the products before are summed, B = rows of x in shared
// memory, which one more warpgroup stages. The steps are those of tile_m16n8k16.cuh with one slice.
#pragma once

#include "kernels/common/wgmma.cuh"
#include "kernels/wide/codes_warpgroup.cuh"
#include "kernels/wide/staged_words.cuh"
#include "kernels/wide/store.cuh"

namespace quadpair::wide {

template <bool Compact, int Rows, int Columns>
class WarpgroupTile {
 public:
  static constexpr WarpgroupShape shape{Rows, Columns};
  using Weights = WarpgroupCodes<Compact, shape.warp_columns()>;
  static constexpr int width = Weights::width;

  /// For the threads from shape.consumers() on. `shared`: shape.bytes() bytes.
  static __device__ __forceinline__ void produce(const SourceRows& x, u8* shared, u32 units) {
    if constexpr (moves_registers) asm volatile("setmaxnreg.dec.sync.aligned.u32 72;");
    WordStager<Rows> rows(threadIdx.x - shape.consumers(), x);
    rows.load();
    u32 stage = 0;
#pragma unroll 1
    for (u32 unit = 0; unit < units; ++unit) {
      // The consumers have waited for their products of the unit that the stage held before.
      if (unit >= stages) synchronize<all>(emptied(stage));
      rows.store(shared + stage * shape.stage_bytes());
      fence_for_products();
      arrive<all>(filled(stage));
      if (unit + 1 < units) rows.load();
      stage = stage + 1 == stages ? 0 : stage + 1;
    }
  }

  /// For the threads before. Step j of a unit, on k 4j..4j+3 of each of its four groups, extends the only
  /// chain.
  __device__ __forceinline__ void consume(Weights& weights, u8* shared, u32 units) {
    if constexpr (moves_registers) asm volatile("setmaxnreg.inc.sync.aligned.u32 216;");
    const u64 first_stage = rows_descriptor(static_cast<u32>(__cvta_generic_to_shared(shared)));
    Unit ahead[2];
    weights.load(ahead[0]);
    if (units > 1) weights.load(ahead[1]);
    u32 stage = 0;
#pragma unroll 1
    for (u32 unit = 0; unit < units; unit += 2) {
      add_unit(weights, ahead[0], first_stage, stage, unit, units);
      if (unit + 1 < units) add_unit(weights, ahead[1], first_stage, stage, unit + 1, units);
    }
    wait_for_product_groups<0>();
  }

  __device__ __forceinline__ void store(const Output<width>& y, u32 first_column) const {
    const u32 r = lane_id() / 4, t = lane_id() % 4;
#pragma unroll
    for (int block = 0; block < Rows / 8; ++block)
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        float sums[width];
#pragma unroll
        for (int b = 0; b < width / 2; ++b)
          sums[2 * b] = sums_[b][block][i], sums[2 * b + 1] = sums_[b][block][2 + i];
        y.store(8 * block + 2 * t + i, first_column + width * r, sums);
      }
  }

 private:
  using Unit = typename Weights::Unit;
  static constexpr int stages = shape.stages;
  static constexpr int all = shape.threads();
  static_assert(Rows % 8 == 0 && Columns % 64 == 0);

  /// Barriers, of all threads: a stage has its rows, or nobody reads them any more.
  static __device__ __forceinline__ u32 filled(u32 stage) {
    return 1 + stage;
  }
  static __device__ __forceinline__ u32 emptied(u32 stage) {
    return 1 + stages + stage;
  }

  /// Where sums fill the consumers' registers: of the 168 that each of 384 threads begins with, the producers
  /// hand over what they do not need.
  static constexpr bool moves_registers = Columns == 256;
  static_assert(!moves_registers || 216 * shape.consumers() + 72 * shape.producers <= 168 * shape.threads());

  /// A run is 8 k of each group, two steps, a group of products. While one run's are summed, the next run is
  /// decoded into the other registers.
  __device__ __forceinline__ void add_unit(Weights& weights, Unit& unit, u64 first_stage, u32& stage,
                                           u32 number, u32 units) {
    const u64 rows = first_stage + stage * (shape.stage_bytes() >> 4);
    weights.begin(unit);
    weights.fragments(unit, 0, runs_[0]);
    synchronize<all>(filled(stage));
    add_run(runs_[0], rows);
    wait_for_product_groups<1>();
    // All products of the unit before are done: its stage may be filled again.
    if (number > 0 && number - 1 + stages < units) arrive<all>(emptied(stage == 0 ? stages - 1 : stage - 1));
    weights.fragments(unit, 1, runs_[1]);
    if (number + 2 < units) weights.load(unit);
    add_run(runs_[1], rows + 4);
    wait_for_product_groups<1>();
    stage = stage + 1 == stages ? 0 : stage + 1;
  }

  __device__ __forceinline__ void add_run(const u32 (&w)[width][4], u64 rows) {
    fence_products();
#pragma unroll
    for (int step = 0; step < 2; ++step)
#pragma unroll
      for (int b = 0; b < width / 2; ++b)
        multiply_warpgroup<Rows>(sums_[b], w[2 * b][2 * step], w[2 * b + 1][2 * step], w[2 * b][2 * step + 1],
                                 w[2 * b + 1][2 * step + 1], rows + 2 * step);
    end_product_group();
  }

  u32 runs_[2][width][4];
  float sums_[width / 2][Rows / 8][4] = {};  ///< [columns 2b, 2b + 1 of a lane]
};

}  // namespace quadpair::wide
