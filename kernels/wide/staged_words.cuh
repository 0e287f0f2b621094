// Rows of activations in shared memory, in the order of k in which lanes of the left operand hold the
// weights: lane t of a quad takes whole group t of a unit, so step j of wgmma, on 16 neighbouring k of a row,
// finds k 4j.. 4j + 3 of each of the unit's four groups there. Words of two k are moved as they are stored.
#pragma once

#include "kernels/wide/staged_rows.cuh"

namespace quadpair::wide {

/// What one of 128 threads stages of a tile of `Rows` rows: 16-byte chunk thread % 8 of every 16th row.
template <int Rows>
class WordStager {
 public:
  /// Rows from `rows.count` on are the last one again: their products are nobody's.
  __device__ __forceinline__ WordStager(u32 thread, const SourceRows& rows)
      : source_(rows.x + thread % 8 * 8), leading_(rows.leading), last_(rows.count - 1), row_(thread / 8) {
    // Chunk 2t + h of a row, words q = 0..3: word t of chunk 4h + q.
    const u32 chunk = thread % 8;
    place_ = row_ * row_bytes + (((chunk & 1) * 4 ^ RowKey::of(row_)) << 4) + chunk / 2 * 4;
  }

  /// Loads the next unit into registers.
  __device__ __forceinline__ void load() {
    u32 leading = leading_;
    asm volatile("" : "+r"(leading));  // offsets are computed anew each time: registers are for rows
#pragma unroll
    for (int i = 0; i < pieces; ++i)
      if (whole || row_ + 16 * i < Rows)
        held_[i] = stream_again_v4(source_ + min(row_ + 16 * i, last_) * leading);
    source_ += unit_k;
  }

  /// Stores the unit that load() has loaded to a stage.
  __device__ __forceinline__ void store(u8* stage) const {
#pragma unroll
    for (int i = 0; i < pieces; ++i)
      if (whole || row_ + 16 * i < Rows) {
        u8* const at = stage + 16 * i * row_bytes;
        *reinterpret_cast<u32*>(at + place_) = held_[i].x;
        *reinterpret_cast<u32*>(at + (place_ ^ 16)) = held_[i].y;
        *reinterpret_cast<u32*>(at + (place_ ^ 32)) = held_[i].z;
        *reinterpret_cast<u32*>(at + (place_ ^ 48)) = held_[i].w;
      }
  }

 private:
  static constexpr int pieces = (Rows + 15) / 16;
  static constexpr bool whole = Rows % 16 == 0;

  const u16* source_;
  u32 leading_, last_, row_, place_;
  uint4 held_[pieces];
};

}  // namespace quadpair::wide
