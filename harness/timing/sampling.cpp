#include "harness/timing/sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace quadpair::timing {
namespace {

constexpr std::array<Side, 5> kOrder{Side::control, Side::control, Side::candidate, Side::candidate,
                                     Side::control};

/// What is done about a clock that is held down. Power is capped on the average of some ten milliseconds, so
/// rounds with rests between them may run at full clock where rounds on end would not. Where even the longest
/// rests do not help, each sample alone draws too much: the capped clock is then the device's own under this
/// work, and what is measured at it counts.
class Throttle {
 public:
  void before_round(ClockSource& clock, ClockReading& reading) const {
    if (rest_ == none || accepts_cap_) return;
    clock.rest(rest_);
    reading = clock.read().value_or(ClockReading{});
  }

  /// Whether a round between those readings counts.
  bool counts(const ClockReading& before, const ClockReading& after) {
    const bool capped = before.power_capped || after.power_capped;
    const bool throttled = before.throttled || after.throttled;
    const bool clean = !throttled && (!capped || accepts_cap_);
    if (clean) {
      in_vain_ = 0;
      return true;
    }
    if (capped && !throttled && rest_ == longest && ++in_vain_ == patience) accepts_cap_ = true;
    rest_ = std::clamp(2 * rest_, shortest, longest);
    return false;
  }

  bool accepts_cap() const { return accepts_cap_; }

 private:
  static constexpr std::chrono::milliseconds none{0}, shortest{20}, longest{320};
  static constexpr int patience = 4;  ///< rounds in a row
  std::chrono::milliseconds rest_ = none;
  int in_vain_ = 0;
  bool accepts_cap_ = false;
};

/// Appends the samples of one round. The clock is read outside of it: a query can take milliseconds, and
/// would leave the device idle before some samples and not before others.
void sample_round(Subject& control, Subject& candidate, ClockSource& clock, ClockReading& reading,
                  Throttle& throttle, std::vector<Sample>& samples) {
  const std::uint32_t round = samples.empty() ? 0 : samples.back().round + 1;
  std::array<double, kOrder.size()> seconds;
  for (std::size_t i = 0; i < kOrder.size(); ++i)
    seconds[i] = (kOrder[i] == Side::control ? control : candidate).sample();
  const ClockReading before = reading;
  reading = clock.read().value_or(ClockReading{});
  const bool held_down = before.throttled || before.power_capped || reading.throttled || reading.power_capped;
  const bool counts = throttle.counts(before, reading);
  for (std::uint32_t order = 0; order < kOrder.size(); ++order)
    samples.push_back(
        {kOrder[order], round, order, seconds[order], reading.sm_mhz, held_down, order > 0 && counts});
}

/// Takes the last round into the statistics, or drops it.
void count_round(Measurement& measurement) {
  const Sample* const last = &*(measurement.samples.end() - 4);
  if (last->counted)
    measurement.rounds.push_back({last[0].seconds, last[1].seconds, last[2].seconds, last[3].seconds});
  else
    measurement.dropped += 4;
}

}  // namespace

std::string to_string(const Protocol& protocol) {
  return fmt::format(
      "W A B B A, {} to {} rounds, until the {:g} % interval of {} resamples (seed {}) is narrower "
      "than {:g} %, equal within {:g} %",
      protocol.rounds, protocol.most_rounds, 100 * protocol.bootstrap.confidence,
      protocol.bootstrap.resamples, protocol.bootstrap.seed, 100 * protocol.relative_width,
      100 * protocol.equal_within);
}

Measurement measure(Subject& control, Subject& candidate, ClockSource& clock, const Protocol& protocol) {
  if (protocol.rounds < 2 || protocol.rounds > protocol.most_rounds)
    throw std::invalid_argument(
        fmt::format("cannot measure {} to {} rounds", protocol.rounds, protocol.most_rounds));
  Measurement measurement;
  measurement.control = control.name();
  measurement.candidate = candidate.name();
  std::size_t next_look = protocol.rounds;
  ClockReading reading = clock.read().value_or(ClockReading{});
  Throttle throttle;
  for (std::uint32_t round = 0; round < protocol.most_rounds; ++round) {
    throttle.before_round(clock, reading);
    sample_round(control, candidate, clock, reading, throttle, measurement.samples);
    count_round(measurement);
    const bool last = round + 1 == protocol.most_rounds && measurement.rounds.size() >= protocol.rounds;
    if (measurement.rounds.size() < next_look && !last) continue;
    next_look *= 2;
    measurement.ratio = ratio_of_medians(measurement.rounds, protocol.bootstrap);
    if (measurement.ratio->relative_width() < protocol.relative_width) break;
  }
  measurement.power_capped = throttle.accepts_cap();
  if (!measurement.ratio) return measurement;
  measurement.aa = control_against_itself(measurement.rounds, protocol.bootstrap);
  measurement.verdict = judge(*measurement.ratio, *measurement.aa, protocol.equal_within);
  return measurement;
}

}  // namespace quadpair::timing
