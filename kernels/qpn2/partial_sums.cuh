// The sums of the k-slices in shared memory, f32 [slices][8 rows][32 columns].
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair::qpn2 {

inline constexpr u32 partial_elements = 8 * 32;  ///< of one slice and row block

/// Where a slice keeps an element. The columns of a row are exchanged among themselves so that neither
/// fragment layout meets a bank conflict: m8n8k4 stores rows that differ in bits 0 and 2, columns in bits 1, 3
/// and 4; m16n8k16 rows that differ in bits 1 and 2, columns (in the lane order) in bits 0, 1 and 3.
__device__ __forceinline__ u32 partial_index(u32 row, u32 column) {
  const u32 exchange = (row & 5) | (row & 2) << 3;
  return row * 32 + (column ^ exchange);
}

/// The slice sums added in ascending order, starting from +0.0.
template <int Slices>
__device__ __forceinline__ float sum_slices(const float* partial, u32 row, u32 column) {
  const float* element = partial + partial_index(row, column);
  float sum = 0.0f;
#pragma unroll
  for (int slice = 0; slice < Slices; ++slice) sum = __fadd_rn(sum, element[slice * partial_elements]);
  return sum;
}

}  // namespace quadpair::qpn2
