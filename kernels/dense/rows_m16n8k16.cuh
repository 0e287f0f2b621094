// FP16 weights, row-major, as the left operand of m16n8k16: staged in shared memory beside x. Lane (r, t)
// holds features 4r..4r+3 of its warp's 32 and whole group t of a unit, as codes_m16n8k16.cuh does.
#pragma once

#include "kernels/wide/staged_rows.cuh"

namespace quadpair::dense {

/// Of weights: the eight rows 4r + i, r = 0..7, are read at once.
struct FeatureKey {
  static __device__ __forceinline__ u32 of(u32 row) { return row / 4 % 8; }
};

/// The block's `Columns` features.
template <int Columns>
class RowOperand {
 public:
  static constexpr bool dense = true;

  __device__ __forceinline__ RowOperand(const wide::SourceRows& w) : copier_(threadIdx.x, w) {}

  /// Starts to copy the next unit.
  __device__ __forceinline__ void stage(u32 base) {
    copier_.next_unit([&](int, u32 offset, const u16* source, bool present) {
      copy_async_16(base + offset, source, present);
    });
  }

  /// There are no scales.
  __device__ __forceinline__ void begin(const u8*) const {}

  /// weights[i][j]: k 8 run + 2j, + 1 of the lane's group in its feature i.
  __device__ __forceinline__ void fragments(const u8* rows, int run, u32 (&weights)[4][4]) const {
    const u32 r = lane_id() / 4, t = lane_id() % 4;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const u32 row = warp_id() * 32 + 4 * r + i;
      const uint4 chunk =
          *reinterpret_cast<const uint4*>(rows + wide::chunk_offset(row, FeatureKey::of(row), 2 * t + run));
      // The product with 1 changes no number. It puts a word where the matrix instruction wants it once, and
      // not by a move before every instruction.
      weights[i][0] = mul_half2(chunk.x, 0x3C003C00u), weights[i][1] = mul_half2(chunk.y, 0x3C003C00u);
      weights[i][2] = mul_half2(chunk.z, 0x3C003C00u), weights[i][3] = mul_half2(chunk.w, 0x3C003C00u);
    }
  }

 private:
  wide::RowCopier<Columns, Columns, FeatureKey> copier_;  // a thread a column
};

}  // namespace quadpair::dense
