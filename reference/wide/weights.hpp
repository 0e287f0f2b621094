// NVFP4 weights as the wide GEMM takes them: TurboMind's layout and rule of rounding.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/formats/fp16.hpp"
#include "reference/formats/nvfp4.hpp"
#include "reference/formats/nvfp4_weights.hpp"

namespace quadpair::reference {

/// The FP16 weights that tm_gemm multiplies with: s = h(f(e4m3.g)), f() an FP32 multiply; w = h(e2m1.s).
extern const Nvfp4Rule turbomind_rule;

/// Row-major [n, k].
std::vector<Half> decode_turbomind(const Nvfp4View& w);

/// The TurboMind buffers by definition, zero past logical rows: u32 [padded N/32][K/8][32 columns], a word
/// the 8 physical nibbles of a run of 8 k, lowest first; and the scales s, f16 [K/16][padded N].
std::vector<std::uint32_t> pack_turbomind_codes(const Nvfp4View& w);
std::vector<Half> pack_turbomind_scales(const Nvfp4View& w);

}  // namespace quadpair::reference
