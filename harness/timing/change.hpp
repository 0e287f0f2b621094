// Whether a candidate has become slower or faster from one run to another.
//
// Times of two runs are not held against each other: clocks, temperature and where memory lies differ between
// them by more than what is looked for. The ratio to a control that is the same in both runs is, because what
// slows both sides of a run alike cancels in it.
#pragma once

#include <span>
#include <string_view>

#include "harness/timing/statistics.hpp"

namespace quadpair::timing {

/// The median of B / A in the new run over the same in the base run, each B over the A next to it (A B | B
/// A), the rounds of either run drawn by themselves. Unlike a ratio of medians it does not mind a clock that
/// changes within a run. Throws as ratio_of_medians.
Interval change_of(std::span<const Round> base, std::span<const Round> now, const Bootstrap& bootstrap = {});

/// The same from each run's own ratio and interval. Their distances from the ratio, as logarithms, add up
/// like those of independent errors: by their squares.
Interval change_of(const Interval& base, const Interval& now);

/// Relative changes: none below `least` is called one, and "same" excludes any of `sought` or more. Between
/// two processes on one H200, medians of the same kernel differ by up to 1 % (reports/baselines/h200), so
/// that narrow intervals alone prove little.
struct Sensitivity {
  double least = 0.025, sought = 0.05;
};

enum class Change { same, faster, slower, ambiguous };
std::string_view to_string(Change change);

/// Slower when the whole interval lies above 1 and the ratio at least at 1 + least, faster likewise; else the
/// same when the whole interval lies within 1 / (1 + sought) and 1 + sought; else ambiguous.
Change judge_change(const Interval& ratio, const Sensitivity& sensitivity = {});

/// Whether a run's A/A interval lies wholly outside of 1 / (1 + least) and 1 + least: it then sees changes
/// that are not there, and what it says of others is ambiguous.
bool misleads(const Interval& control_against_itself, const Sensitivity& sensitivity = {});

}  // namespace quadpair::timing
