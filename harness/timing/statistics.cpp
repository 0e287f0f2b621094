#include "harness/timing/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "harness/timing/resample.hpp"

namespace quadpair::timing {
namespace {

/// The samples of one projection, either side sorted by time.
struct Sides {
  std::vector<Timed> numerator, denominator;
  std::size_t rounds;
  double calls;
};

/// The ratio of the projections' times, the rounds of projection p drawn drawn[p] times.
double ratio_of(const std::vector<Sides>& projections, const Drawn& drawn) {
  double above = 0, below = 0;
  for (std::size_t p = 0; p < projections.size(); ++p) {
    above += projections[p].calls * median_of(projections[p].numerator, drawn[p]);
    below += projections[p].calls * median_of(projections[p].denominator, drawn[p]);
  }
  return above / below;
}

Interval interval_of(const std::vector<Sides>& projections, const Bootstrap& bootstrap) {
  if (projections.empty()) throw std::invalid_argument("a ratio needs at least one projection");
  std::vector<std::size_t> rounds;
  rounds.reserve(projections.size());
  for (const Sides& sides : projections) rounds.push_back(sides.rounds);
  return resampled(
      rounds, [&](const Drawn& drawn) { return ratio_of(projections, drawn); }, bootstrap);
}

Sides candidate_over_control(std::span<const Round> rounds, double calls) {
  require_times(rounds);
  if (!(calls > 0 && std::isfinite(calls)))
    throw std::invalid_argument(fmt::format("calls must be positive and finite, not {}", calls));
  return {sorted_times(rounds, {&Round::candidate_first, &Round::candidate_second}),
          sorted_times(rounds, {&Round::control_first, &Round::control_second}), rounds.size(), calls};
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("no median of no values");
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

double quantile(std::span<const double> sorted, double p) {
  if (sorted.empty()) throw std::invalid_argument("no quantile of no values");
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Interval ratio_of_medians(std::span<const Round> rounds, const Bootstrap& bootstrap) {
  return interval_of({candidate_over_control(rounds, 1)}, bootstrap);
}

Interval control_against_itself(std::span<const Round> rounds, const Bootstrap& bootstrap) {
  require_times(rounds);
  return interval_of({Sides{sorted_times(rounds, {&Round::control_second}),
                            sorted_times(rounds, {&Round::control_first}), rounds.size(), 1}},
                     bootstrap);
}

Interval weighted_ratio(std::span<const Projection> projections, const Bootstrap& bootstrap) {
  std::vector<Sides> sides;
  for (const Projection& projection : projections)
    sides.push_back(candidate_over_control(projection.rounds, projection.calls));
  return interval_of(sides, bootstrap);
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster: return "faster";
    case Verdict::slower: return "slower";
    case Verdict::equal_within: return "equal-within";
    case Verdict::ambiguous: return "ambiguous";
  }
  throw std::invalid_argument("no such verdict");
}

Verdict judge(const Interval& ratio, const Interval& control_against_itself, double margin) {
  const double least = 1 / (1 + margin), most = 1 + margin;
  if (control_against_itself.low > most || control_against_itself.high < least) return Verdict::ambiguous;
  if (ratio.low >= least && ratio.high <= most) return Verdict::equal_within;
  if (ratio.low > 1) return Verdict::slower;
  if (ratio.high < 1) return Verdict::faster;
  return Verdict::ambiguous;
}

}  // namespace quadpair::timing
