// How often a measurement with the default protocol is wrong, on machines whose true ratio is known.
#include <gtest/gtest.h>

#include "tests/harness/timing/simulated_machine.hpp"

namespace quadpair::timing {
namespace {

constexpr int kTrials = 300;

constexpr Noise kUsual{0.004, 0.05, 0.10, 0.005, 0.9};
constexpr Noise kHeavy{0.010, 0.10, 0.05, 0.010, 0.95};

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
