// FP16 matrices to FP8, and FP8 checkpoints to the QPN8 buffers. The contract.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/common/launch.hpp"
#include "kernels/qpn8/layout.hpp"

namespace quadpair::qpn8 {

/// w is FP16 [n, k], row-major without gaps. Per row: scale = max(amax / 448, FP32's least normal number),
/// code = E4M3FN, nearest even, of x / scale clamped to [-448, 448]; both divisions are IEEE FP32. A row of
/// zeros gives zero codes. NaN and infinities are the caller's to refuse (kernels do not look for them).
struct QuantizeArguments {
  std::uint32_t n = 0, k = 0;
  DevicePtr w = 0;       ///< 16-byte aligned
  DevicePtr codes = 0;   ///< u8 [n, k], row-major as in a checkpoint
  DevicePtr scales = 0;  ///< f32 [n]
};

/// Throws Refused unless k is a positive multiple of 64.
std::vector<Launch> quantize(const QuantizeArguments& arguments, Target target);

/// Checkpoint codes u8 [n, k] with FP32 scales: [n] (channel) or [ceil(n/128)][k/128] (block), multipliers.
struct PackArguments {
  std::uint32_t n = 0, k = 0;
  ScaleKind kind = ScaleKind::channel;
  DevicePtr codes = 0, scales = 0;
  DevicePtr packed_codes = 0;   ///< u8 [padded N/32][K/16][32][16]
  DevicePtr packed_scales = 0;  ///< as `kind` says
};

/// Rows past n become zero codes and zero scales. Throws Refused.
std::vector<Launch> pack(const PackArguments& arguments, Target target);

/// Checks an FP8 matrix in host memory before it is packed: throws RangeError naming `tensor`, row, k (or
/// block) and value for a NaN code, a scale that is NaN, infinite, negative or zero (a zero or least-normal
/// channel scale is legal where all codes of the row are zero), or h(scale . 256) that is not finite. Throws
/// Refused, naming both shapes, unless there are `rows` x `columns` = n x 1 scales (channel) or ceil(n/128) x
/// k/128 (block); block scales need n and k that are multiples of 128.
void prepare(std::string_view tensor, std::uint32_t n, std::uint32_t k, ScaleKind kind,
             std::span<const std::uint8_t> codes, std::span<const float> scales, std::uint32_t rows,
             std::uint32_t columns);

}  // namespace quadpair::qpn8
