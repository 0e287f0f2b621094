#include "harness/timing/change.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "harness/timing/resample.hpp"

namespace quadpair::timing {
namespace {

/// B / A of neighbours, two a round, sorted.
std::vector<Timed> neighbours(std::span<const Round> rounds) {
  require_times(rounds);
  std::vector<Timed> ratios;
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    ratios.push_back({rounds[r].candidate_first / rounds[r].control_first, r});
    ratios.push_back({rounds[r].candidate_second / rounds[r].control_second, r});
  }
  std::ranges::sort(ratios, {}, &Timed::value);
  return ratios;
}

}  // namespace

Interval change_of(std::span<const Round> base, std::span<const Round> now, const Bootstrap& bootstrap) {
  const std::vector<Timed> before = neighbours(base), after = neighbours(now);
  return resampled(
      {base.size(), now.size()},
      [&](const Drawn& drawn) { return median_of(after, drawn[1]) / median_of(before, drawn[0]); },
      bootstrap);
}

Interval change_of(const Interval& base, const Interval& now) {
  const double ratio = now.ratio / base.ratio;
  const double below = std::hypot(std::log(now.ratio / now.low), std::log(base.high / base.ratio));
  const double above = std::hypot(std::log(now.high / now.ratio), std::log(base.ratio / base.low));
  return {ratio, ratio * std::exp(-below), ratio * std::exp(above)};
}

std::string_view to_string(Change change) {
  switch (change) {
    case Change::same: return "same";
    case Change::faster: return "faster";
    case Change::slower: return "slower";
    case Change::ambiguous: return "ambiguous";
  }
  throw std::invalid_argument("no such change");
}

Change judge_change(const Interval& ratio, const Sensitivity& sensitivity) {
  if (ratio.low > 1 && ratio.ratio >= 1 + sensitivity.least) return Change::slower;
  if (ratio.high < 1 && ratio.ratio <= 1 / (1 + sensitivity.least)) return Change::faster;
  const double most = 1 + sensitivity.sought;
  return ratio.low > 1 / most && ratio.high < most ? Change::same : Change::ambiguous;
}

bool misleads(const Interval& control_against_itself, const Sensitivity& sensitivity) {
  const double most = 1 + sensitivity.least;
  return control_against_itself.low > most || control_against_itself.high < 1 / most;
}

}  // namespace quadpair::timing
