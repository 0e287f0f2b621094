// One output by the scalar definition, for operands that the vectorised path does not cover.
#pragma once

#include "reference/gemm/operands.hpp"

namespace quadpair::reference {

/// The sum of row `x` (FP16, [k]) against column `column` of a panel ([k][panel_columns]), Inf and NaN
/// included; NaN is 0x7FFFFFFF.
float exact_sum(const Schedule& schedule, const Half* x, const Half* panel, std::size_t column);

}  // namespace quadpair::reference
