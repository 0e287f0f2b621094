// NVFP4 matrices in checkpoint layout, as the reference sees them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/formats/fp16.hpp"

namespace quadpair::reference {

/// A view of a checkpoint's matrix. W[row, k] = e2m1(code) . e4m3(scale) . g.
struct Nvfp4View {
  std::uint32_t n = 0, k = 0;            ///< logical rows (output features), input features
  std::uint32_t halves = 1;              ///< 2 for a fused gate/up matrix: each half is padded by itself
  std::span<const std::uint8_t> codes;   ///< [n, k/2], even k in the low nibble
  std::span<const std::uint8_t> scales;  ///< [n, k/16], E4M3FN
  std::span<const float> globals;        ///< multipliers: one, or one per 32-row tile of the padded matrix
};

/// Row of the padded matrix at which logical row `row` stands.
std::uint32_t padded_row(const Nvfp4View& w, std::uint32_t row);
std::uint32_t padded_rows(const Nvfp4View& w);

/// The FP16 weights that qpn2 kernels multiply with: G = h(g.2^14); s = h(h(e4m3).G); w = h((e2m1.2^-14).s).
/// Row-major [n, k].
std::vector<Half> decode_qpn2(const Nvfp4View& w);

/// The QPN2 buffers by definition (spec: u8 [N/32][K/16][32][8] and u8 [N/32][K/16][32]), zero past logical
/// rows.
std::vector<std::uint8_t> pack_qpn2_codes(const Nvfp4View& w);
std::vector<std::uint8_t> pack_qpn2_scales(const Nvfp4View& w);

}  // namespace quadpair::reference
