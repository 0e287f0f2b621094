// The first place where a device's sums part from the reference's.
#pragma once

#include <optional>

#include "harness/run/explain/explanation.hpp"
#include "harness/run/matrix.hpp"
#include "harness/run/problem.hpp"

namespace quadpair::run {

/// In the order in which a number is made: the steps of a slice, its chains, the slices, the rounding, gate
/// and up, the stored number. Nothing when all is equal.
std::optional<Difference> first_difference(const Problem& problem, const Matrix& matrix,
                                           const Explanation& explanation);

}  // namespace quadpair::run
