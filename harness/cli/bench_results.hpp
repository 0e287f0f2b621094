// The table that a benchmark ends with.
#pragma once

#include <string>

#include "harness/cli/style.hpp"
#include "reports/record.hpp"

namespace quadpair::cli {

/// One row a comparison, then one a weighted ratio; empty when nothing was compared.
std::string comparison_table(const reports::Report& report, const Style& style);

}  // namespace quadpair::cli
