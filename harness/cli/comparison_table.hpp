// A comparison for a reader.
#pragma once

#include <string>

#include "harness/cli/style.hpp"
#include "reports/compare/comparison.hpp"

namespace quadpair::cli {

/// In what the runs are not alike; a row for each case that was timed, or in which something changed; what
/// grew or shrank; cases that only one run has; a line that sums up. Where the runs are not alike, each line
/// of a case begins with "across".
std::string comparison_text(const reports::Comparison& comparison, const Style& style);

}  // namespace quadpair::cli
