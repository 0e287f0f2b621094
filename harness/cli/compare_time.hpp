// Reports with the raw samples of their timings, where those are still there.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/timing/statistics.hpp"
#include "reports/compare/compare.hpp"

namespace quadpair::cli {

struct TimedReport {
  reports::Report report;
  std::map<std::string, std::vector<timing::Round>> rounds;  ///< by case; those that count
  std::string why_no_samples;                                ///< empty when there are, or nothing was timed
};

/// Reads the report and, from the HDF5 file that it names, the samples of this very run. Throws Error with
/// Exit::bad_data for what is no report.
TimedReport read_timed_report(const std::string& file);

/// Judges by the samples of both runs, else by the intervals in the reports. What it gives refers to both
/// reports.
reports::JudgeTime judge_time(const TimedReport& base, const TimedReport& now);

}  // namespace quadpair::cli
