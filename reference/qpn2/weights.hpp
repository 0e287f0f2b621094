// NVFP4 weights as the qpn2 kernels take them.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/formats/fp16.hpp"
#include "reference/formats/nvfp4.hpp"
#include "reference/formats/nvfp4_weights.hpp"

namespace quadpair::reference {

/// The FP16 weights that qpn2 kernels multiply with: G = h(g.2^14); s = h(h(e4m3).G); w = h((e2m1.2^-14).s).
extern const Nvfp4Rule qpn2_rule;

/// Row-major [n, k].
std::vector<Half> decode_qpn2(const Nvfp4View& w);

/// The QPN2 buffers by definition (u8 [N/32][K/16][32][8] and u8 [N/32][K/16][32]), zero past logical
/// rows.
std::vector<std::uint8_t> pack_qpn2_codes(const Nvfp4View& w);
std::vector<std::uint8_t> pack_qpn2_scales(const Nvfp4View& w);

}  // namespace quadpair::reference
