// From the checkpoint's FP8 layout to the QPN8 buffers. The contract.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/common/launch.hpp"
#include "kernels/qpn8/layout.hpp"

namespace quadpair::qpn8 {

/// Checkpoint codes u8 [n, k] with FP32 scales, multipliers: [n] (channel) or [n/128][k/128] (block).
struct PackArguments {
  std::uint32_t n = 0, k = 0;
  ScaleKind kind = ScaleKind::channel;
  DevicePtr codes = 0;          ///< 16-byte aligned
  DevicePtr scales = 0;         ///< 4-byte aligned
  DevicePtr packed_codes = 0;   ///< u8 [padded N/32][K/16][32][16], 16-byte aligned
  DevicePtr packed_scales = 0;  ///< as `kind` says, 2-byte aligned
};

/// The launches that pack codes and scales; rows past n become zero codes and zero scales. Throws Refused
/// unless n is positive and k a positive multiple of 64; with block scales both are multiples of 128.
std::vector<Launch> pack(const PackArguments& arguments, Target target);

/// Checks an FP8 matrix in host memory before it is packed. Throws RangeError naming `tensor`, row and k (or
/// block) and value for a NaN code; for a scale that is NaN, infinite, negative or zero; for one whose
/// h(scale . 256) is not finite or is 0; and for one that takes a weight beyond FP16. A zero or vanishing
/// scale is legal where all its codes are zero. Throws Refused, naming both shapes, unless the scales' own
/// shape `rows` x `columns` is n x 1 (channel; a vector counts as one of 1 column) or n/128 x k/128 (block):
/// it is never inferred from their number.
void prepare(std::string_view tensor, std::uint32_t n, std::uint32_t k, ScaleKind kind,
             std::span<const std::uint8_t> codes, std::span<const float> scales, std::uint32_t rows,
             std::uint32_t columns);

}  // namespace quadpair::qpn8
