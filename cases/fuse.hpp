// Gate and up as one fused matrix.
#pragma once

#include <string>

#include "cases/quantized_matrix.hpp"

namespace quadpair::cases {

/// Stacks gate [n, k] over up [n, k]: [2n, k] with halves = 2. Each part keeps its own global scale: one
/// value when they are equal, else one per 32-row tile, each half padded by itself. Throws DataError when the
/// shapes differ or a part has more than one global scale.
QuantizedMatrix fuse_gate_up(std::string name, const QuantizedMatrix& gate, const QuantizedMatrix& up);

}  // namespace quadpair::cases
