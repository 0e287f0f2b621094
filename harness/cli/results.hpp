// The table that a run ends with.
#pragma once

#include <cstddef>
#include <string>

#include "harness/cli/style.hpp"
#include "reports/record.hpp"

namespace quadpair::cli {

/// "1 case", "2 cases".
std::string counted(std::size_t cases);

/// Cases by operator, target and model, in the order in which they first occur.
std::string results_table(const reports::Report& report, const Style& style);

/// One line: how many cases on which device in how many seconds, and how they ended.
std::string results_line(const reports::Report& report, double seconds, const Style& style);

/// ", 2 failed, 1 skipped": each kind of case that did not pass, of which there are any.
std::string not_passed(const reports::Summary& summary, const Style& style);

/// What screening lost on each LM head, a line each; empty where none ran.
std::string screening_lines(const reports::Report& report);

/// A line a reason: how many cases were skipped for it. Empty where none was.
std::string skipped_reasons(const reports::Report& report);

}  // namespace quadpair::cli
