// FP16 tiles [rows][64 k] in shared memory. The eight 16-byte chunks of a row are exchanged among themselves
// by a key of the row, so that the lanes that read one chunk of different rows meet no bank conflict.
#pragma once

#include "kernels/common/device.cuh"
#include "kernels/wide/shared_memory.hpp"

namespace quadpair::wide {

/// Bytes from the tile's beginning to chunk `chunk` of a row.
__device__ __forceinline__ u32 chunk_offset(u32 row, u32 key, u32 chunk) {
  return row * row_bytes + ((chunk ^ key) << 4);
}

/// A matrix whose rows are staged; rows from `count` on read as zero and are never touched.
struct SourceRows {
  const u16* x;  ///< at the k of the next unit
  u32 leading;   ///< elements from one row to the next
  u32 count;
};

/// What one of `Threads` threads copies of a tile of `Rows` rows: chunk thread % 8 of every (Threads / 8)th
/// row. `Key` gives a row's key.
template <int Rows, int Threads, class Key>
class RowCopier {
 public:
  static constexpr int step = Threads / 8;
  static constexpr int pieces = (Rows + step - 1) / step;

  __device__ __forceinline__ RowCopier(u32 thread, const SourceRows& rows)
      : source_(rows.x + static_cast<u64>(thread / 8) * rows.leading + thread % 8 * 8),
        stride_(static_cast<u64>(step) * rows.leading),
        count_(rows.count),
        row_(thread / 8),
        chunk_(thread % 8) {}

  /// Calls visit(piece, offset in the tile, source, present) for each of the thread's chunks and moves on by
  /// a unit.
  template <class Visit>
  __device__ __forceinline__ void next_unit(Visit visit) {
    const u16* source = source_;
    each_place([&](int piece, u32 offset) {
      visit(piece, offset, source, row_ + piece * step < count_);
      source += stride_;
    });
    source_ += unit_k;
  }

  /// Calls visit(piece, offset in the tile) for each of the thread's chunks.
  template <class Visit>
  __device__ __forceinline__ void each_place(Visit visit) const {
#pragma unroll
    for (int piece = 0; piece < pieces; ++piece) {
      const u32 row = row_ + piece * step;
      if (Rows % step == 0 || row < Rows) visit(piece, chunk_offset(row, Key::of(row), chunk_));
    }
  }

 private:
  const u16* source_;
  u64 stride_;
  u32 count_, row_, chunk_;
};

/// Of activations: eight neighbouring rows are read at once.
struct RowKey {
  static __device__ __forceinline__ u32 of(u32 row) { return row % 8; }
};

}  // namespace quadpair::wide
