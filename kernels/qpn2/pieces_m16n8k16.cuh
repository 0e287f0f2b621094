// How the native kernels cut the columns of a thread block into pieces, the 16 features of one instruction,
// and which of them a lane has.
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair::qpn2 {

/// Of a Block with these parameters (block_m16n8k16.cuh). Two neighbouring quarters make a pair. Of an odd
/// number of quarters one is left over, the first in odd blocks and the last in even ones, so that pairs
/// never straddle tiles; the last piece holds the left-over quarter of each matrix.
template <int Matrices, int Quarters, int Slices, int RowBlocks, bool Shared>
struct Pieces {
  static_assert(Quarters >= 2);
  static constexpr int matrix_pairs = Quarters / 2;
  static constexpr int count = Matrices * matrix_pairs + Quarters % 2;
  static constexpr bool is_pair(int piece) { return piece < Matrices * matrix_pairs; }

  /// Whether a lane has two neighbouring columns of a piece. Of the quarters that are left over it has one
  /// each; but with TurboMind's codes, where a column's are just 4 bytes of a run, half the lanes have two
  /// columns of one matrix and half two of the other (in the QPN2 order that takes 7 % longer).
  static constexpr bool has_neighbours(int piece) { return is_pair(piece) || (Matrices == 2 && Shared); }
  static constexpr bool has_column_of_each(int piece) { return Matrices == 2 && !has_neighbours(piece); }
  static constexpr bool has_one_column(int piece) { return Matrices == 1 && !is_pair(piece); }

  /// Whether this piece and the next are two pairs that a lane loads together, with TurboMind's codes: 16
  /// bytes of each run, four neighbouring columns, two of each pair. Loads of 8 bytes would ask for each line
  /// of 128 bytes twice, which takes less only with 12 slices and 16 rows, by 1 to 2 %.
  static constexpr bool are_two_pairs(int piece) {
    return Shared && !(Slices == 12 && RowBlocks == 2) && is_pair(piece) &&
           piece % matrix_pairs < matrix_pairs / 2 * 2;
  }
  static constexpr int loaded_with(int piece) { return are_two_pairs(piece) ? 2 : 1; }

  /// The first quarter, within the block, of a piece.
  static __device__ __forceinline__ u32 first_quarter_of(int piece) {
    const u32 odd = Quarters % 2 == 1 ? blockIdx.x % 2 : 0;
    if (!is_pair(piece)) return odd == 1 ? 0 : Quarters - 1;
    return 2 * (piece % matrix_pairs) + odd;
  }

  /// Where the lane's columns of what is loaded with a piece begin: `offset` places after the first one of a
  /// quarter of the block, in that quarter or the next.
  struct Place {
    u32 matrix, quarter, offset;
  };
  static __device__ __forceinline__ Place lane_place(int piece) {
    const u32 r = lane_id() / 4, quarter = first_quarter_of(piece);
    if (has_one_column(piece) || has_column_of_each(piece)) return {0, quarter, r};
    if (!is_pair(piece)) return {r / 4, quarter, r % 4 * 2};
    const u32 matrix = piece / matrix_pairs;
    if (are_two_pairs(piece)) return {matrix, quarter + r / 2, r % 2 * 4};
    return {matrix, quarter, 2 * r};
  }
};

}  // namespace quadpair::qpn2
