// FP16 weights, row-major, as the right operand of m8n8k4: staged in shared memory beside x. Lane l holds
// feature c(l) of its warp's 32, as codes_m8n8k4.cuh does.
#pragma once

#include "kernels/qpn2/tile.cuh"
#include "kernels/wide/staged_rows.cuh"

namespace quadpair::dense {

/// Of weights: the eight features c(8i)..c(8i + 7) are read at once; they differ in bits 0, 1 and 3.
struct FeatureKey {
  static __device__ __forceinline__ u32 of(u32 row) { return (row & 3) | (row >> 1 & 4); }
};

/// The block's `Columns` features.
template <int Columns>
class RowOperand {
 public:
  static constexpr bool dense = true;

  __device__ __forceinline__ RowOperand(const wide::SourceRows& w) : copier_(threadIdx.x, w) {}

  /// Loads the next unit with the first of its groups.
  __device__ __forceinline__ void load(int group) {
    if (group == 0)
      copier_.next_unit([&](int piece, u32, const u16* source, bool present) {
        carried_[piece] = load_v4_if(present, source);
      });
  }

  /// Stores the loaded unit.
  __device__ __forceinline__ void keep(u8* rows) const {
    copier_.each_place(
        [&](int piece, u32 offset) { *reinterpret_cast<uint4*>(rows + offset) = carried_[piece]; });
  }

  /// weights[j]: k 2j, 2j + 1 of the group in the lane's feature.
  __device__ __forceinline__ void fragments(int group, const u8* rows, u32 (&weights)[8]) const {
    const u32 row = warp_id() * 32 + qpn2::column_of_lane(lane_id());
#pragma unroll
    for (int run = 0; run < 2; ++run) {
      const uint4 chunk = *reinterpret_cast<const uint4*>(
          rows + wide::chunk_offset(row, FeatureKey::of(row), 2 * group + run));
      weights[4 * run] = chunk.x, weights[4 * run + 1] = chunk.y;
      weights[4 * run + 2] = chunk.z, weights[4 * run + 3] = chunk.w;
    }
  }

 private:
  wide::RowCopier<Columns, Columns, FeatureKey> copier_;  // a thread a column
  uint4 carried_[decltype(copier_)::pieces];
};

}  // namespace quadpair::dense
