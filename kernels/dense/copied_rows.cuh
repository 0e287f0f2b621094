// FP16 rows that threads copy to shared memory as wgmma reads them, with 128-byte swizzle.
#pragma once

#include "kernels/wide/staged_rows.cuh"

namespace quadpair::dense {

/// Which source row stands in row thread / 8 + 16 piece of the tile: before(thread / 8) + after(piece).
struct InOrder {
  static __device__ __forceinline__ u32 before(u32 row) { return row; }
  static constexpr u32 after(u32 piece) { return 16 * piece; }
};

/// A lane of quad place t has the sums of columns 8b + 2t, 8b + 2t + 1 of a product: these rows of each 32
/// hold features 8t + 2b, 8t + 2b + 1, neighbours for b = 0..3.
struct ByLanes {
  static __device__ __forceinline__ u32 before(u32 row) { return row % 8 / 2 * 8 + row / 8 * 2 + row % 2; }
  static constexpr u32 after(u32 piece) { return piece / 2 * 32 + piece % 2 * 4; }
};

/// What one of 128 threads copies of a tile of `Rows` rows: 16-byte chunk thread % 8 of every 16th row. Rows
/// from `count` on are the last one again: their products are nobody's.
template <int Rows, class Order>
class CopiedRows {
 public:
  __device__ __forceinline__ CopiedRows(u32 thread, const wide::SourceRows& rows)
      : source_(rows.x + thread % 8 * 8),
        leading_(rows.leading),
        last_(rows.count - 1),
        row_(Order::before(thread / 8)) {
    const u32 row = thread / 8;
    place_ = wide::chunk_offset(row, wide::RowKey::of(row), thread % 8);
  }

  /// Starts to copy the next unit of 64 k to `tile`.
  __device__ __forceinline__ void copy(u32 tile) {
    u32 leading = leading_;
    asm volatile("" : "+r"(leading));  // offsets are computed anew each time: registers are few
#pragma unroll
    for (u32 piece = 0; piece < Rows / 16; ++piece)
      copy_async_16(tile + place_ + piece * (16 * wide::row_bytes),
                    source_ + static_cast<u64>(min(row_ + Order::after(piece), last_)) * leading);
    source_ += wide::unit_k;
  }

 private:
  static_assert(Rows % 16 == 0);

  const u16* source_;
  u32 leading_, last_, row_, place_;
};

}  // namespace quadpair::dense
