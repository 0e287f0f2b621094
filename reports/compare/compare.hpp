// Two reports against each other.
#pragma once

#include <functional>
#include <stdexcept>

#include "reports/compare/comparison.hpp"

namespace quadpair::reports {

/// Reports that are not comparable unless asked for: says in what they differ.
struct NotAlike : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a change of time amounts to. Called for timings of one case against the same control, sampled alike,
/// of which neither is a count.
using JudgeTime = std::function<TimeChange(const TimingRecord& base, const TimingRecord& now)>;

/// Case by case. Runs that differ in device, models, seed, suite or weights throw NotAlike, unless `across`:
/// then cases of one run whose id the other has not are paired by id without plan, target and model, where
/// that is unique. Models differ when either run has one that the other has not.
Comparison compare(const Report& base, const Report& now, bool across, const JudgeTime& judge_time);

}  // namespace quadpair::reports
