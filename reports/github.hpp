// What GitHub Actions shows beside a change: annotations, as commands on standard output.
#pragma once

#include <cstddef>
#include <string>

#include "reports/collection.hpp"

namespace quadpair::reports {

/// GitHub shows at most so many annotations of a kind for each step.
inline constexpr std::size_t most_annotations = 10;

/// GitHub takes no step summary larger than this.
inline constexpr std::size_t step_summary_limit = std::size_t{1} << 20;

/// "::error file=kernels/qpn2/gemm.cu,title=ID::REASON" lines for failed and refused cases, "::warning" for
/// mistrusted ones, at the source of the last kernel that the case's route names; of more than GitHub shows
/// the last line says how many there are.
std::string github_annotations(const Collection& collection);

}  // namespace quadpair::reports
