// FP8 weights as the qpn8 kernels take them: quantised, decoded and packed by definition.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/formats/fp16.hpp"

namespace quadpair::reference {

enum class Fp8Scales {
  channel,  ///< one a row
  block     ///< one for 128 x 128 weights
};

/// A checkpoint's FP8 matrix. W[row, k] = e4m3(code) . scale.
struct Fp8View {
  std::uint32_t n = 0, k = 0;
  Fp8Scales kind = Fp8Scales::channel;
  std::span<const std::uint8_t> codes;  ///< [n, k]
  std::span<const float> scales;        ///< [n], or [n/128][k/128]
};

struct Fp8Matrix {
  std::vector<std::uint8_t> codes;  ///< [n, k]
  std::vector<float> scales;        ///< [n]
};

/// Rows of FP16 w [n, k], each with scale = max(amax / 448, 2^-126) and codes nearest to x / scale clamped to
/// +-448, ties to even; FP32 divisions. Throws std::invalid_argument for a size other than n . k.
Fp8Matrix quantize_fp8(std::span<const Half> w, std::uint32_t n, std::uint32_t k);

/// The FP16 weights that qpn8 kernels multiply with: w = h((e4m3 . 2^-8) . h(scale . 256)), row-major [n, k].
/// Throws std::invalid_argument when the buffers do not have the shape that n, k and kind say.
std::vector<Half> decode_qpn8(const Fp8View& w);

/// The QPN8 buffers by definition, zero past row n: u8 [padded N/32][K/16][32][16], and f16 [padded N] or
/// [K/128][padded N/32].
std::vector<std::uint8_t> pack_qpn8_codes(const Fp8View& w);
std::vector<Half> pack_qpn8_scales(const Fp8View& w);

/// FP16 weights [n, k] in the same order: f16 [padded N/32][K/16][32][16].
std::vector<Half> pack_head(std::span<const Half> head, std::uint32_t n, std::uint32_t k);

}  // namespace quadpair::reference
