// Parts stacked to one matrix.
#pragma once

#include <string>
#include <vector>

#include "cases/quantized_matrix.hpp"

namespace quadpair::cases {

/// Stacks gate [n, k] over up [n, k]: [2n, k] with halves = 2. Each part keeps its own global scale: one
/// value when they are equal, else one per 32-row tile, each half padded by itself. Throws DataError when the
/// shapes or formats differ or a part has more than one global scale.
QuantizedMatrix fuse_gate_up(std::string name, const QuantizedMatrix& gate, const QuantizedMatrix& up);

/// Stacks parts of one k and format. Parts of NVFP4 with different global scales keep them, one per 32-row
/// tile: a part that would begin inside a tile of another scale is moved to the next by rows of zero codes
/// and scales, which count as rows of the result. Throws DataError when the parts do not fit, and for blocks
/// of FP8 that would not begin on a block.
QuantizedMatrix fuse_parts(std::string name, const std::vector<QuantizedMatrix>& parts);

}  // namespace quadpair::cases
