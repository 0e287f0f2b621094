// The end of the native kernels: the slices' sums in shared memory, added by threads that store them.
#pragma once

#include "kernels/qpn2/tile.cuh"

namespace quadpair::qpn2 {

/// Of a Block with these parameters (block_m16n8k16.cuh): f32 [Slices][block_rows][row_floats].
template <int Matrices, int Quarters, int Slices, int RowBlocks, bool Shared>
struct SliceSums {
  static constexpr int columns = 8 * Quarters;  ///< of each matrix
  static constexpr int block_rows = 8 * RowBlocks;
  /// Four more than there are columns, so that the four lanes of a quad, two rows apart, meet no bank
  /// conflict.
  static constexpr int row_floats = Matrices * columns + 4;

  static __device__ __forceinline__ u32 partial_index(u32 slice, u32 row) {
    return (slice * block_rows + row) * row_floats;
  }

  /// What one thread finishes: neighbouring columns of one row. The more rows, the more columns: then there
  /// is enough to do for all threads, and fewer instructions do it.
  static constexpr int width = RowBlocks;
  struct Span {
    u32 row;     ///< of the block
    u32 place;   ///< of its first column in a row of partial sums
    u32 column;  ///< its first column in the matrix
  };
  static constexpr int spans = block_rows * columns / width;

  static __device__ __forceinline__ Span span(u32 index) {
    const u32 place = index % (columns / width) * width, quarter = blockIdx.x * Quarters + place / 8;
    const u32 place_in_tile = quarter % 4 * 8 + place % 8;
    return {index / (columns / width), place,
            quarter / 4 * 32 + (Shared ? place_in_tile : column_of_lane(place_in_tile))};
  }

  /// h() of the span's slice sums, added in ascending order, starting from +0.0.
  static __device__ __forceinline__ Halves<width> sum_slices(const float* partial, const Span& span,
                                                             u32 matrix) {
    struct alignas(4 * width) Floats {
      float of[width];
    };
    const float* place = partial + partial_index(0, span.row) + matrix * columns + span.place;
    Floats sum = {};
#pragma unroll
    for (int slice = 0; slice < Slices; ++slice) {
      const Floats part = *reinterpret_cast<const Floats*>(place + slice * block_rows * row_floats);
#pragma unroll
      for (int i = 0; i < width; ++i) sum.of[i] = __fadd_rn(sum.of[i], part.of[i]);
    }
    Halves<width> halves;
#pragma unroll
    for (int i = 0; i < width; ++i) halves.of[i] = to_half(sum.of[i]);
    return halves;
  }
};

}  // namespace quadpair::qpn2
