// Candidate against control: interleaved samples, every one kept, until the interval is narrow enough.
//
// A round is W A B B A: a warm-up W of the control (the host's work between rounds lets the device idle),
// then the four samples that count. So A and B are each preceded once by themselves and once by the other,
// and lie on average at the same time: drift and carry-over cancel in A/B. They do not cancel in A/A, the
// round's second A over its first, taken beside every A/B from the same samples: there they show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/timing/clock.hpp"
#include "harness/timing/statistics.hpp"

namespace quadpair::timing {

/// Something that can be timed again and again.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual const std::string& name() const = 0;
  virtual double sample() = 0;  ///< seconds per launch
};

enum class Side : std::uint8_t { control, candidate };

/// One raw sample. Order 0 of a round is the warm-up.
struct Sample {
  Side side;
  std::uint32_t round, order;
  double seconds;        ///< per launch
  std::uint32_t sm_mhz;  ///< after the round; 0: not known
  bool throttled;        ///< the clock was held down before or after the round: heat, a brake, or power
  bool counted;          ///< in the statistics: no warm-up, and not throttled unless at a lasting power cap
};

struct Protocol {
  std::uint32_t rounds = 8;        ///< the fewest
  std::uint32_t most_rounds = 64;  ///< those dropped included
  double relative_width = 0.02;    ///< of the interval: sampling stops when it is narrower
  double equal_within = 0.02;      ///< margin of judge()
  Bootstrap bootstrap{};
  friend bool operator==(const Protocol&, const Protocol&) = default;
};
std::string to_string(const Protocol& protocol);

struct Measurement {
  std::string control, candidate;
  std::vector<Sample> samples;  ///< in the order of time
  std::vector<Round> rounds;    ///< those that count
  std::uint32_t dropped = 0;    ///< samples, warm-ups aside, that do not count
  bool power_capped = false;    ///< rests did not help: rounds at the power cap count
  /// Candidate over control, and control over itself. Nothing when fewer than Protocol::rounds counted.
  std::optional<Interval> ratio, aa;
  Verdict verdict = Verdict::ambiguous;
};

/// The interval is looked at after Protocol::rounds rounds and each time their number has doubled: few looks,
/// so that stopping at a lucky one hardly raises the rate of errors
/// (tests/harness/timing/error_rates_test.cpp). Throws std::invalid_argument for rounds == 0 or rounds >
/// most_rounds, and what the subjects throw.
Measurement measure(Subject& control, Subject& candidate, ClockSource& clock, const Protocol& protocol = {});

}  // namespace quadpair::timing
