// Samples a case's sums to see whether its data can tell one order of summation from another.
#pragma once

#include "harness/inputs/inputs.hpp"
#include "harness/run/matrix.hpp"

namespace quadpair::run {

/// Whether each of up to 64 sums, spread over rows of x and of the weights, is exact in any order. True when
/// there are none.
bool sampled_sums_exact(const Matrix& matrix, DecodeRule rule, const inputs::Inputs& inputs);

}  // namespace quadpair::run
