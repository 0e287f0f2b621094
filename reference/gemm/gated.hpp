// The gated epilogue: silu(gate) . up.
#pragma once

#include "reference/formats/fp16.hpp"

namespace quadpair::reference {

/// exp(t) for the gated epilogue: the formula of kernels/qpn2/gated.hpp, at most 1 ulp from exact.
float gated_exp(float t);

/// silu = h(x / (1 + exp(-x))) of the FP16 gate; h(silu . up).
Half silu(Half gate);
Half gated_epilogue(Half gate, Half up);

}  // namespace quadpair::reference
