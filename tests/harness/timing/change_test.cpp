// Expected values are worked out by hand.
#include "harness/timing/change.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace quadpair::timing {
namespace {

std::vector<Round> steady(double control, double candidate) {
  return std::vector<Round>(8, Round{control, candidate, candidate, control});
}

TEST(ChangeOf, IsTheRatioOfTheRatios) {
  const Interval change = change_of(steady(1, 2), steady(1, 3));
  EXPECT_DOUBLE_EQ(change.ratio, 1.5);
  EXPECT_DOUBLE_EQ(change.low, 1.5);
  EXPECT_DOUBLE_EQ(change.high, 1.5);
}

TEST(ChangeOf, ASlowerMachineIsNoChange) {
  const Interval change = change_of(steady(1, 2), steady(4, 8));
  EXPECT_DOUBLE_EQ(change.ratio, 1);
}

// The clock halves between the third and the fourth sample of the fifth round: medians of either side mix
// both.
TEST(ChangeOf, AClockThatChangesWithinARunIsNoChange) {
  std::vector<Round> stepped = steady(1, 2);
  for (std::size_t r = 5; r < 8; ++r) stepped[r] = {2, 4, 4, 2};
  stepped[4] = {1, 2, 4, 2};
  const Interval change = change_of(steady(1, 2), stepped);
  EXPECT_DOUBLE_EQ(change.ratio, 1);
  EXPECT_DOUBLE_EQ(change.low, 1);
  EXPECT_DOUBLE_EQ(change.high, 1);
}

TEST(ChangeOf, EitherRunsSpreadWidensTheInterval) {
  std::vector<Round> spread = steady(1, 2);
  for (std::size_t r = 0; r < 4; ++r) spread[r].candidate_first = spread[r].candidate_second = 2.2;
  for (const Interval change : {change_of(spread, steady(1, 2)), change_of(steady(1, 2), spread)}) {
    EXPECT_LT(change.low, change.ratio);
    EXPECT_GT(change.high, change.ratio);
  }
}

TEST(ChangeOf, WrongTimesAreRefused) {
  const std::vector<Round> good = steady(1, 2);
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_THROW(change_of(good, std::span(good).first(1)), std::invalid_argument);
  EXPECT_THROW(change_of(std::span(good).first(1), good), std::invalid_argument);
  EXPECT_THROW(change_of(good, steady(infinite, 1)), std::invalid_argument);
  EXPECT_THROW(change_of(steady(0, 1), good), std::invalid_argument);
}

// 2 / 1; upwards hypot(log(2.42 / 2.2) = log 1.1, log(1 / 0.9)), downwards hypot(log(2.2 / 2), log(1.2)).
TEST(ChangeOf, StoredIntervalsAddByTheSquaresOfTheirLogarithms) {
  const Interval change = change_of({1, 0.9, 1.2}, {2.2, 2, 2.42});
  EXPECT_DOUBLE_EQ(change.ratio, 2.2);
  EXPECT_NEAR(change.high, 2.2 * std::exp(0.142073), 1e-5);  // sqrt(0.0953102^2 + 0.1053605^2)
  EXPECT_NEAR(change.low, 2.2 * std::exp(-0.205731), 1e-5);  // sqrt(0.0953102^2 + 0.1823216^2)
}

TEST(JudgeChange, Each) {
  EXPECT_EQ(judge_change({1.05, 1.01, 1.09}), Change::slower);
  EXPECT_EQ(judge_change({1 / 1.05, 0.91, 0.99}), Change::faster);
  EXPECT_EQ(judge_change({1, 0.96, 1.04}), Change::same);
  EXPECT_EQ(judge_change({1, 0.94, 1.04}), Change::ambiguous);
  EXPECT_EQ(judge_change({1, 0.96, 1.06}), Change::ambiguous);
  EXPECT_EQ(judge_change({1.02, 1.01, 1.03}), Change::same);  // surely there, and too little to matter
  EXPECT_EQ(judge_change({1.015, 1.001, 1.06}), Change::ambiguous);
  EXPECT_EQ(judge_change({1.05, 0.99, 1.11}), Change::ambiguous);
}

TEST(JudgeChange, Names) {
  EXPECT_EQ(to_string(Change::same), "same");
  EXPECT_EQ(to_string(Change::faster), "faster");
  EXPECT_EQ(to_string(Change::slower), "slower");
  EXPECT_EQ(to_string(Change::ambiguous), "ambiguous");
}

TEST(Misleads, WhenTheWholeIntervalIsOff) {
  EXPECT_FALSE(misleads({1, 0.99, 1.01}));
  EXPECT_FALSE(misleads({1.03, 1.01, 1.05}));
  EXPECT_TRUE(misleads({1.04, 1.03, 1.05}));
  EXPECT_TRUE(misleads({0.95, 0.94, 0.97}));
}

}  // namespace
}  // namespace quadpair::timing
