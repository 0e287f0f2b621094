#include "harness/bench/limit.hpp"

#include "harness/timing/statistics.hpp"

namespace quadpair::bench {

Outcome hold(const Comparison& comparison, const std::optional<double>& most_ratio) {
  const reports::TimingRecord& r = comparison.record;
  if (!most_ratio)
    return r.verdict == to_string(timing::Verdict::ambiguous) ? Outcome::undecided : Outcome::kept;
  if (!comparison.steady || !r.ratio) return Outcome::undecided;
  const timing::Interval interval{*r.ratio, *r.ratio_low, *r.ratio_high};
  if (timing::breaks_limit(interval, *most_ratio)) return Outcome::broken;
  return interval.high > *most_ratio ? Outcome::undecided : Outcome::kept;
}

}  // namespace quadpair::bench
