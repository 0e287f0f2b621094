// Internal to comparing: the outputs of a case in two runs, and the code that made them.
#pragma once

#include "reports/compare/comparison.hpp"

namespace quadpair::reports {

/// Fills bits, differing and the kernels of either run. Checks are held against those of the same name and
/// number of elements; those made around timing are left out.
void compare_bits(const CaseRecord& base, const CaseRecord& now, CaseChange& change);

}  // namespace quadpair::reports
