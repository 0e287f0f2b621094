// Where a wide product is written.
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair::wide {

/// y, f16 [rows, columns] with a leading dimension of any alignment, written `Width` (2, 4 or 8) neighbouring
/// columns at a time.
template <int Width>
class Output {
 public:
  __device__ __forceinline__ Output(u16* y, u32 leading, u32 rows, u32 columns)
      : y_(y),
        leading_(leading),
        rows_(rows),
        columns_(columns),
        aligned_((leading * 2 | reinterpret_cast<u64>(y)) % (Width * 2) == 0) {}

  /// Rounds and writes the columns from `column` on, a multiple of Width; what lies outside is left alone.
  __device__ __forceinline__ void store(u32 row, u32 column, const float (&sums)[Width]) const {
    if (row >= rows_ || column >= columns_) return;
    u16* out = y_ + static_cast<u64>(row) * leading_ + column;
    u32 pairs[Width / 2];
#pragma unroll
    for (int i = 0; i < Width / 2; ++i)
      pairs[i] = to_half(sums[2 * i]) | static_cast<u32>(to_half(sums[2 * i + 1])) << 16;
    if (aligned_ && column + Width <= columns_) {
      if constexpr (Width == 8)
        *reinterpret_cast<uint4*>(out) = make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
      else if constexpr (Width == 4)
        *reinterpret_cast<uint2*>(out) = make_uint2(pairs[0], pairs[1]);
      else
        *reinterpret_cast<u32*>(out) = pairs[0];
    } else {
#pragma unroll
      for (int i = 0; i < Width; ++i)
        if (column + i < columns_) out[i] = static_cast<u16>(pairs[i / 2] >> (i % 2 * 16));
    }
  }

 private:
  u16* y_;
  u32 leading_, rows_, columns_;
  bool aligned_;
};

}  // namespace quadpair::wide
