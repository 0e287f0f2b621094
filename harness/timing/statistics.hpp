// Ratios of measured times with bootstrap intervals, and what may be concluded from them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace quadpair::timing {

/// Seconds per launch of the four samples A B B A of one round: A is the control, B the candidate.
struct Round {
  double control_first, candidate_first, candidate_second, control_second;
};

/// How an interval is made: whole rounds are drawn with replacement, so that slow drift, which moves all four
/// samples of a round alike, cancels in every resample. Percentile interval (Efron), widened for few rounds
/// as Student's t is; the same seed and rounds give the same interval on every machine.
struct Bootstrap {
  unsigned resamples = 2000;
  double confidence = 0.99;
  std::uint64_t seed = 1;
  friend bool operator==(const Bootstrap&, const Bootstrap&) = default;
};

/// A ratio of times and its interval.
struct Interval {
  double ratio = 0, low = 0, high = 0;
  double relative_width() const { return (high - low) / ratio; }
};

/// The middle value, or the mean of the two middle ones. Throws std::invalid_argument when empty.
double median(std::vector<double> values);

/// The p-quantile of sorted values, 0 <= p <= 1, linear between order statistics (Hyndman and Fan's type 7).
/// Throws std::invalid_argument when empty.
double quantile(std::span<const double> sorted, double p);

/// median(B) / median(A) over all samples. Throws std::invalid_argument for fewer than two rounds, and for
/// times that are not positive and finite; so do the next two.
Interval ratio_of_medians(std::span<const Round> rounds, const Bootstrap& bootstrap = {});

/// The A/A ratio: median of the rounds' second A over that of the first. It has half the samples of the A/B
/// ratio, so its interval is about 1.4 times as wide.
Interval control_against_itself(std::span<const Round> rounds, const Bootstrap& bootstrap = {});

/// The rounds of one projection and how often a model calls it.
struct Projection {
  std::span<const Round> rounds;
  double calls;
};

/// Time of a model's projections with the candidate over that with the control:
/// sum(calls * median(B)) / sum(calls * median(A)). Each projection's rounds are drawn by themselves.
Interval weighted_ratio(std::span<const Projection> projections, const Bootstrap& bootstrap = {});

enum class Verdict { faster, slower, equal_within, ambiguous };
std::string_view to_string(Verdict verdict);

/// Equal when the whole interval lies in [1 / (1 + margin), 1 + margin]; else slower or faster when the whole
/// interval lies on one side of 1; else ambiguous. Ambiguous, too, when the whole A/A interval lies outside
/// of that band: the method then sees differences that are not there.
Verdict judge(const Interval& ratio, const Interval& control_against_itself, double margin);

/// A limit on a ratio is broken only when the whole interval lies above it.
inline bool breaks_limit(const Interval& ratio, double limit) {
  return ratio.low > limit;
}

}  // namespace quadpair::timing
