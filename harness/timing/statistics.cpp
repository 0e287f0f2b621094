#include "harness/timing/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <random>
#include <stdexcept>

namespace quadpair::timing {
namespace {

/// A sample and the round it belongs to.
struct Timed {
  double seconds;
  std::size_t round;
};

/// The samples of one projection, either side sorted by time.
struct Sides {
  std::vector<Timed> numerator, denominator;
  std::size_t rounds;
  double calls;
};

/// A number in [0, n), the same on every machine (the standard's distributions are not).
std::size_t draw(std::mt19937_64& random, std::size_t n) {
  return static_cast<std::size_t>((random() >> 32) * n >> 32);
}

/// The median of sorted samples where those of round r occur drawn[r] times.
double median_of(const std::vector<Timed>& sorted, const std::vector<std::uint32_t>& drawn) {
  const std::size_t total = sorted.size();  // as many rounds are drawn as there are
  const std::size_t lower = (total - 1) / 2, upper = total / 2;
  std::size_t seen = 0, i = 0;
  while ((seen += drawn[sorted[i].round]) <= lower) ++i;
  const double below = sorted[i].seconds;
  while (seen <= upper) seen += drawn[sorted[++i].round];
  return (below + sorted[i].seconds) / 2;
}

/// The ratio of the projections' times, the rounds of projection p drawn drawn[p] times.
double ratio_of(const std::vector<Sides>& projections, const std::vector<std::vector<std::uint32_t>>& drawn) {
  double above = 0, below = 0;
  for (std::size_t p = 0; p < projections.size(); ++p) {
    above += projections[p].calls * median_of(projections[p].numerator, drawn[p]);
    below += projections[p].calls * median_of(projections[p].denominator, drawn[p]);
  }
  return above / below;
}

/// z with P(Z <= z) = p for a standard normal Z, by bisection.
double normal_quantile(double p) {
  double low = -40, high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::sqrt(2.0)) / 2 < p ? low : high) = middle;
  }
  return low;
}

/// How much wider than the percentile interval one has to be for few rounds: Student's t over the normal
/// quantile, and sqrt(n / (n - 1)) for the bootstrap's variance being that of a population (Hesterberg, "What
/// Teachers Should Know About the Bootstrap", 2014). t by its expansion in 1 / degrees of freedom (Abramowitz
/// and Stegun 26.7.5).
double small_sample_factor(std::size_t rounds, double confidence) {
  const double z = normal_quantile((1 + confidence) / 2), nu = static_cast<double>(rounds - 1), z2 = z * z;
  const double t = z + z * (z2 + 1) / (4 * nu) + z * ((5 * z2 + 16) * z2 + 3) / (96 * nu * nu) +
                   z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * nu * nu * nu);
  return t / z * std::sqrt(1 + 1 / nu);
}

Interval interval_of(const std::vector<Sides>& projections, const Bootstrap& bootstrap) {
  if (projections.empty()) throw std::invalid_argument("a ratio needs at least one projection");
  std::size_t fewest = projections.front().rounds;
  std::vector<std::vector<std::uint32_t>> drawn;
  for (const Sides& sides : projections) {
    fewest = std::min(fewest, sides.rounds);
    drawn.emplace_back(sides.rounds, 1);
  }
  const double ratio = ratio_of(projections, drawn);

  std::mt19937_64 random(bootstrap.seed);
  std::vector<double> ratios(bootstrap.resamples);
  for (double& resampled : ratios) {
    for (std::vector<std::uint32_t>& counts : drawn) {
      std::fill(counts.begin(), counts.end(), 0);
      for (std::size_t i = 0; i < counts.size(); ++i) ++counts[draw(random, counts.size())];
    }
    resampled = ratio_of(projections, drawn);
  }
  std::sort(ratios.begin(), ratios.end());
  const double tail = (1 - bootstrap.confidence) / 2;
  const double factor = small_sample_factor(fewest, bootstrap.confidence);
  return {ratio, ratio * std::pow(std::min(quantile(ratios, tail) / ratio, 1.0), factor),
          ratio * std::pow(std::max(quantile(ratios, 1 - tail) / ratio, 1.0), factor)};
}

void require_times(std::span<const Round> rounds) {
  if (rounds.size() < 2) throw std::invalid_argument("an interval of a ratio needs at least two rounds");
  for (const Round& round : rounds)
    for (double seconds :
         {round.control_first, round.candidate_first, round.candidate_second, round.control_second})
      if (!(seconds > 0 && std::isfinite(seconds)))
        throw std::invalid_argument(fmt::format("a time must be positive and finite, not {}", seconds));
}

std::vector<Timed> sorted_times(std::span<const Round> rounds,
                                std::initializer_list<double Round::*> positions) {
  std::vector<Timed> times;
  for (std::size_t r = 0; r < rounds.size(); ++r)
    for (double Round::*position : positions) times.push_back({rounds[r].*position, r});
  std::sort(times.begin(), times.end(), [](const Timed& a, const Timed& b) { return a.seconds < b.seconds; });
  return times;
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
