#include "harness/timing/sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace quadpair::timing {
namespace {

constexpr std::array<Side, 5> kOrder{Side::control, Side::control, Side::candidate, Side::candidate,
                                     Side::control};

/// Appends the samples of one round, none of them counted yet.
void sample_round(Subject& control, Subject& candidate, ClockSource& clock, std::uint32_t round,
                  std::vector<Sample>& samples) {
  bool throttled_before = false;
  for (std::uint32_t order = 0; order < kOrder.size(); ++order) {
    const double seconds = (kOrder[order] == Side::control ? control : candidate).sample();
    const ClockReading after = clock.read().value_or(ClockReading{});
    samples.push_back(
        {kOrder[order], round, order, seconds, after.sm_mhz, throttled_before || after.throttled, false});
    throttled_before = after.throttled;
  }
}

/// Counts the last round unless a sample of it was throttled.
void count_round(Measurement& measurement) {
  Sample* const counted = &*(measurement.samples.end() - 4);
  if (std::any_of(counted, counted + 4, [](const Sample& sample) { return sample.throttled; })) {
    measurement.dropped += 4;
    return;
  }
  for (int i = 0; i < 4; ++i) counted[i].counted = true;
  measurement.rounds.push_back(
      {counted[0].seconds, counted[1].seconds, counted[2].seconds, counted[3].seconds});
}

}  // namespace

std::string to_string(const Protocol& protocol) {
  return fmt::format(
      "W A B B A, {} to {} rounds, until the {:g} % interval of {} resamples (seed {}) is narrower than {:g} "
      "%, "
      "equal within {:g} %",
      protocol.rounds, protocol.most_rounds, 100 * protocol.bootstrap.confidence,
      protocol.bootstrap.resamples, protocol.bootstrap.seed, 100 * protocol.relative_width,
      100 * protocol.equal_within);
}

Measurement measure(Subject& control, Subject& candidate, ClockSource& clock, const Protocol& protocol) {
  if (protocol.rounds < 2 || protocol.rounds > protocol.most_rounds)
    throw std::invalid_argument(
        fmt::format("cannot measure {} to {} rounds", protocol.rounds, protocol.most_rounds));
  Measurement measurement{control.name(), candidate.name(), {}, {}, 0, {}, {}, Verdict::ambiguous};
  std::size_t next_look = protocol.rounds;
  for (std::uint32_t round = 0; round < protocol.most_rounds; ++round) {
    sample_round(control, candidate, clock, round, measurement.samples);
    count_round(measurement);
    const bool last = round + 1 == protocol.most_rounds && measurement.rounds.size() >= protocol.rounds;
    if (measurement.rounds.size() < next_look && !last) continue;
    next_look *= 2;
    measurement.ratio = ratio_of_medians(measurement.rounds, protocol.bootstrap);
    if (measurement.ratio->relative_width() < protocol.relative_width) break;
  }
  if (!measurement.ratio) return measurement;
  measurement.aa = control_against_itself(measurement.rounds, protocol.bootstrap);
  measurement.verdict = judge(*measurement.ratio, *measurement.aa, protocol.equal_within);
  return measurement;
}

}  // namespace quadpair::timing
