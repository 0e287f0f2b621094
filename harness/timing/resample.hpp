// Internal to the intervals: a statistic of rounds, and how far it moves when other rounds are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

#include "harness/timing/statistics.hpp"

namespace quadpair::timing {

/// A time, or a ratio of times, and the round it belongs to.
struct Timed {
  double value;
  std::size_t round;
};

/// [group][round]: how often that round of that measurement is drawn.
using Drawn = std::vector<std::vector<std::uint32_t>>;

/// Throws std::invalid_argument for fewer than two rounds, and for times that are not positive and finite.
void require_times(std::span<const Round> rounds);

/// The samples at those positions of all rounds, sorted.
std::vector<Timed> sorted_times(std::span<const Round> rounds,
                                std::initializer_list<double Round::*> positions);

/// The median of sorted values where those of round r occur drawn[r] times.
double median_of(const std::vector<Timed>& sorted, const std::vector<std::uint32_t>& drawn);

/// The interval of a ratio over measurements of so many rounds, each drawn by itself: see Bootstrap. It is
/// widened for the measurement with the fewest rounds.
Interval resampled(const std::vector<std::size_t>& rounds,
                   const std::function<double(const Drawn& drawn)>& ratio, const Bootstrap& bootstrap);

}  // namespace quadpair::timing
