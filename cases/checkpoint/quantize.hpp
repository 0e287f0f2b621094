// Dense weights quantised on the way, by one documented rule each (docs/checkpoints.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cases/quantized_matrix.hpp"

namespace quadpair::cases {

/// What becomes of dense tensors.
enum class Quantize { none, nvfp4, fp8 };

/// The global multiplier of a tensor whose largest magnitude is `amax`: amax / (6 . 448), FP32; 1 where that
/// is 0.
float nvfp4_global(float amax);

/// Codes and block scales of w [n, k], finite, k a multiple of 16. All arithmetic is FP32, one rounding an
/// operation. Per group of 16: scale s = E4M3 nearest even of (amax / 6) / g; code = E2M1 nearest, ties to
/// the even code, of w / (s . g) clamped to +-6, and zeros keep their sign; all codes are 0 where s is 0.
QuantizedMatrix quantize_nvfp4(std::span<const float> w, std::uint32_t n, std::uint32_t k, float g);

/// fp8_channel codes and scales of w [n, k], finite. Per row: scale = max(amax / 448, FP32's least normal
/// number), code = E4M3 nearest even of w / scale clamped to +-448. FP32, as qpn8_quantize does it.
QuantizedMatrix quantize_fp8(std::span<const float> w, std::uint32_t n, std::uint32_t k);

}  // namespace quadpair::cases
