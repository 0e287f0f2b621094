#include "harness/timing/resample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace quadpair::timing {
namespace {

/// A number in [0, n), the same on every machine (the standard's distributions are not).
std::size_t draw(std::mt19937_64& random, std::size_t n) {
  return static_cast<std::size_t>((random() >> 32) * n >> 32);
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

}  // namespace

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
  std::sort(times.begin(), times.end(), [](const Timed& a, const Timed& b) { return a.value < b.value; });
  return times;
}

double median_of(const std::vector<Timed>& sorted, const std::vector<std::uint32_t>& drawn) {
  const std::size_t total = sorted.size();  // as many rounds are drawn as there are
  const std::size_t lower = (total - 1) / 2, upper = total / 2;
  std::size_t seen = 0, i = 0;
  while ((seen += drawn[sorted[i].round]) <= lower) ++i;
  const double below = sorted[i].value;
  while (seen <= upper) seen += drawn[sorted[++i].round];
  return (below + sorted[i].value) / 2;
}

Interval resampled(const std::vector<std::size_t>& rounds,
                   const std::function<double(const Drawn& drawn)>& ratio_of, const Bootstrap& bootstrap) {
  Drawn drawn;
  for (const std::size_t n : rounds) drawn.emplace_back(n, 1);
  const double ratio = ratio_of(drawn);

  std::mt19937_64 random(bootstrap.seed);
  std::vector<double> ratios(bootstrap.resamples);
  for (double& resampled : ratios) {
    for (std::vector<std::uint32_t>& counts : drawn) {
      std::fill(counts.begin(), counts.end(), 0);
      for (std::size_t i = 0; i < counts.size(); ++i) ++counts[draw(random, counts.size())];
    }
    resampled = ratio_of(drawn);
  }
  std::sort(ratios.begin(), ratios.end());
  const double tail = (1 - bootstrap.confidence) / 2;
  const double factor = small_sample_factor(*std::ranges::min_element(rounds), bootstrap.confidence);
  return {ratio, ratio * std::pow(std::min(quantile(ratios, tail) / ratio, 1.0), factor),
          ratio * std::pow(std::max(quantile(ratios, 1 - tail) / ratio, 1.0), factor)};
}

}  // namespace quadpair::timing
