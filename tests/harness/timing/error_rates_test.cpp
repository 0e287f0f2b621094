// How often a measurement with the default protocol is wrong, on machines whose true ratio is known.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "harness/timing/sampling.hpp"

namespace quadpair::timing {
namespace {

constexpr int kTrials = 300;

struct Noise {
  double tails;                ///< scale of a Student t with 3 degrees of freedom, relative
  double spikes;               ///< how often a sample is up to 50 % longer
  double drift;                ///< relative, over 320 samples
  double wander, persistence;  ///< an autoregressive process: its deviation, and its step-to-step correlation
};

constexpr Noise kUsual{0.004, 0.05, 0.10, 0.005, 0.9};
constexpr Noise kHeavy{0.010, 0.10, 0.05, 0.010, 0.95};

/// Both sides run on one machine, whose state goes on from sample to sample.
class Machine {
 public:
  Machine(const Noise& noise, unsigned seed) : noise_(noise), random_(seed) {}

  double seconds(double true_seconds) {
    wander_ = noise_.persistence * wander_ +
              std::sqrt(1 - noise_.persistence * noise_.persistence) * noise_.wander * normal_(random_);
    ++samples_;
    const double slow = (1 + noise_.drift * samples_ / 320) * std::exp(wander_);
    const double tail = std::max(0.5, 1 + noise_.tails * student_(random_));
    const double spike = uniform_(random_) < noise_.spikes ? 1 + 0.5 * uniform_(random_) : 1;
    return true_seconds * slow * tail * spike;
  }

 private:
  Noise noise_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::student_t_distribution<double> student_{3};
  std::uniform_real_distribution<double> uniform_;
  double wander_ = 0, samples_ = 0;
};

class Simulated final : public Subject {
 public:
  Simulated(Machine& machine, double seconds) : machine_(machine), seconds_(seconds) {}
  const std::string& name() const override { return name_; }
  double sample() override { return machine_.seconds(seconds_); }

 private:
  std::string name_ = "simulated";
  Machine& machine_;
  double seconds_;
};

struct Counts {
  int faster = 0, slower = 0, equal = 0, ambiguous = 0, missed = 0, broke_true_ratio = 0;
};

Counts simulate(const Noise& noise, double ratio) {
  Counts counts;
  for (int trial = 0; trial < kTrials; ++trial) {
    Machine machine(noise, 7919u * static_cast<unsigned>(trial) + 13);
    Simulated control(machine, 1e-5), candidate(machine, 1e-5 * ratio);
    NoClock clock;
    const Measurement got = measure(control, candidate, clock);
    counts.faster += got.verdict == Verdict::faster;
    counts.slower += got.verdict == Verdict::slower;
    counts.equal += got.verdict == Verdict::equal_within;
    counts.ambiguous += got.verdict == Verdict::ambiguous;
    counts.missed += got.ratio->low > ratio || got.ratio->high < ratio;
    counts.broke_true_ratio += breaks_limit(*got.ratio, ratio);
  }
  return counts;
}

class ErrorRates : public testing::TestWithParam<Noise> {};

TEST_P(ErrorRates, AtMostOneFalseAlarmInAHundred) {
  const Counts counts = simulate(GetParam(), 1);
  EXPECT_LE(counts.faster + counts.slower, kTrials / 100);
  EXPECT_GE(counts.equal, kTrials * 9 / 10);  // nor is it silent instead
}

TEST_P(ErrorRates, FivePercentAreFoundNinetyFiveTimesInAHundred) {
  const Counts slower = simulate(GetParam(), 1.05), faster = simulate(GetParam(), 1 / 1.05);
  EXPECT_GE(slower.slower, kTrials * 95 / 100);
  EXPECT_EQ(slower.faster, 0);
  EXPECT_GE(faster.faster, kTrials * 95 / 100);
  EXPECT_EQ(faster.slower, 0);
}

TEST_P(ErrorRates, IntervalsHoldTheTrueRatio) {
  const Counts counts = simulate(GetParam(), 1.03);
  EXPECT_LE(counts.missed, kTrials * 3 / 100);
  EXPECT_LE(counts.broke_true_ratio, kTrials * 2 / 100);
}

INSTANTIATE_TEST_SUITE_P(Noise, ErrorRates, testing::Values(kUsual, kHeavy),
                         [](const auto& test) { return test.index == 0 ? "usual" : "heavy"; });

}  // namespace
}  // namespace quadpair::timing
