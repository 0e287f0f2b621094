// Weights that keep their statistics and lose their meaning.
#pragma once

#include "cases/quantized_matrix.hpp"
#include "cases/random.hpp"

namespace quadpair::cases {

/// Shuffles the codes among themselves, and the scales among themselves (Fisher-Yates): the histograms of
/// both stay exactly, and nothing else does. Global scales stay.
void anonymise(QuantizedMatrix& matrix, const RandomStream& stream);

}  // namespace quadpair::cases
