// The vectorised inner part of the reference GEMM: all rows against one panel of columns.
#pragma once

#include <cstddef>

#include "reference/gemm/operands.hpp"

namespace quadpair::reference {

struct PanelJob {
  const Schedule* schedule = nullptr;
  const PackedRows* rows = nullptr;  ///< at least one
  const Half* weights = nullptr;     ///< [k][panel_columns]
  std::size_t columns = 0;           ///< columns to write, at most panel_columns
  float* sums = nullptr;             ///< [m][.], first column of the panel
  std::size_t stride = 0;            ///< elements from one row of sums to the next
};

/// Sums every row against the panel's columns, as the schedule says. Results are meaningless where the row or
/// the column is not finite. Uses the best SIMD target of this CPU; every target gives the same bits.
void accumulate_panel(const PanelJob& job);

/// to[i] = h(from[i]); a NaN must be 0x7FFFFFFF.
void round_to_half(const float* from, std::size_t count, Half* to);

}  // namespace quadpair::reference
