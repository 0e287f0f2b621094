// Expected values are worked out by hand, or published.
#include "harness/timing/statistics.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace quadpair::timing {
namespace {

Round steady(double control, double candidate) {
  return {control, candidate, candidate, control};
}

TEST(Median, HandComputed) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({1, 100, 1, 100}), 50.5);
  EXPECT_THROW(median({}), std::invalid_argument);
}

TEST(Quantile, HandComputed) {
  const std::array<double, 5> sorted{10, 20, 30, 40, 50};
  EXPECT_EQ(quantile(sorted, 0), 10);
  EXPECT_EQ(quantile(sorted, 1), 50);
  EXPECT_EQ(quantile(sorted, 0.25), 20);
  EXPECT_DOUBLE_EQ(quantile(sorted, 0.1), 14);  // between the first two, 0.4 of the way
  EXPECT_THROW(quantile({}, 0.5), std::invalid_argument);
}

TEST(RatioOfMedians, IsOfThePooledSamplesOfEachSide) {
  // Control 1 2 3 4 5 6, median 3.5; candidate 7 7 7 10 20 30, median 8.5.
  const std::array<Round, 3> rounds{Round{1, 7, 7, 6}, Round{2, 10, 7, 5}, Round{3, 30, 20, 4}};
  EXPECT_DOUBLE_EQ(ratio_of_medians(rounds).ratio, 8.5 / 3.5);
}

TEST(RatioOfMedians, DriftSharedByARoundCancelsInEveryResample) {
  std::vector<Round> rounds(8);
  for (int i = 0; i < 8; ++i) rounds[i] = steady(std::ldexp(1.0, i), 3 * std::ldexp(1.0, i));
  const Interval interval = ratio_of_medians(rounds);
  EXPECT_EQ(interval.low, 3);
  EXPECT_EQ(interval.high, 3);
}

TEST(RatioOfMedians, SameSeedSameIntervalAnotherSeedAnother) {
  std::vector<Round> rounds(20);
  std::mt19937 random(5);
  const auto next = [&] { return 1 + static_cast<double>(random() % 1000) / 1e4; };
  for (Round& round : rounds) round = {next(), next(), next(), next()};
  const Interval first = ratio_of_medians(rounds), again = ratio_of_medians(rounds),
                 other = ratio_of_medians(rounds, {.resamples = 50, .seed = 2});
  EXPECT_EQ(first.low, again.low);
  EXPECT_EQ(first.high, again.high);
  EXPECT_NE(first.low, other.low);
  EXPECT_LT(first.low, first.ratio);
  EXPECT_GT(first.high, first.ratio);
}

// Two rounds, of ratios 1 and 3 by their medians. Of four equally likely draws one has only the first round
// (ratio 1), one only the second (3), so the 99 % interval of the resamples is [1, 3], and the ratio of the
// data is 2. One degree of freedom: t and sqrt(2) widen that.
TEST(RatioOfMedians, FewRoundsWidenTheInterval) {
  const std::array<Round, 2> rounds{steady(1, 1), steady(1, 3)};
  const Interval interval = ratio_of_medians(rounds);
  EXPECT_DOUBLE_EQ(interval.ratio, 2);
  EXPECT_LT(interval.low, 0.5);
  EXPECT_GT(interval.high, 4);
}

// Eight rounds: the factor is t(7; 0.995) / z(0.995) * sqrt(8/7) = 3.49948 / 2.57583 * 1.06904 = 1.45238
// (tables; the expansion used is good to about 1 %).
TEST(RatioOfMedians, WideningIsThatOfStudentsT) {
  // Control 1; candidate 1 (four rounds) or 4: a resample's ratio is 1, 2.5 or 4, each tail far above 0.5 %.
  std::vector<Round> rounds(4, steady(1, 1));
  rounds.insert(rounds.end(), 4, steady(1, 4));
  const Interval interval = ratio_of_medians(rounds);
  EXPECT_DOUBLE_EQ(interval.ratio, 2.5);
  EXPECT_NEAR(std::log(interval.high / 2.5) / std::log(4 / 2.5), 1.45238, 0.02);
  EXPECT_NEAR(std::log(interval.low / 2.5) / std::log(1 / 2.5), 1.45238, 0.02);
}

TEST(RatioOfMedians, RefusesWhatIsNoTime) {
  EXPECT_THROW(ratio_of_medians({}), std::invalid_argument);
  EXPECT_THROW(ratio_of_medians(std::array{steady(1, 1)}), std::invalid_argument);
  for (double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(ratio_of_medians(std::array{steady(1, 1), steady(1, bad)}), std::invalid_argument);
    EXPECT_THROW(ratio_of_medians(std::array{steady(1, 1), steady(bad, 1)}), std::invalid_argument);
  }
}

TEST(ControlAgainstItself, IsTheSecondOverTheFirst) {
  const std::array<Round, 3> rounds{Round{2, 90, 90, 3}, Round{4, 90, 90, 5}, Round{6, 90, 90, 9}};
  EXPECT_DOUBLE_EQ(control_against_itself(rounds).ratio, 5.0 / 4);
}

// The experiment of shapes (5120,8704) (5120,4128) (5120,3584) (1536,5120) (4352,5120) on an H200,
// microseconds at M = 32 over the streaming floor, and its published weighted ratio 1.89 (calls: 64, 48, 16,
// 48 + 16, 64).
TEST(WeightedRatio, PublishedValue) {
  const double floor[]{7.30, 4.43, 3.99, 2.65, 4.48}, kernel[]{12.70, 8.10, 7.34, 5.66, 9.21},
      calls[]{64, 48, 16, 64, 64};
  std::array<std::vector<Round>, 5> rounds;
  std::array<Projection, 5> projections;
  for (std::size_t i = 0; i < 5; ++i) {
    rounds[i].assign(2, steady(floor[i], kernel[i]));
    projections[i] = {rounds[i], calls[i]};
  }
  EXPECT_NEAR(weighted_ratio(projections).ratio, 1.89, 0.005);
}

TEST(WeightedRatio, HandComputedAndRefusals) {
  const std::vector<Round> slow(4, steady(1, 2)), fast(4, steady(10, 5));
  const Interval interval = weighted_ratio(std::array{Projection{slow, 3}, Projection{fast, 1}});
  EXPECT_DOUBLE_EQ(interval.ratio, 11.0 / 13);  // (3*2 + 1*5) / (3*1 + 1*10)
  EXPECT_DOUBLE_EQ(interval.low, 11.0 / 13);
  EXPECT_THROW(weighted_ratio({}), std::invalid_argument);
  EXPECT_THROW(weighted_ratio(std::array{Projection{slow, 0}}), std::invalid_argument);
}

TEST(Judge, EveryVerdict) {
  const Interval same{1, 0.99, 1.01};
  EXPECT_EQ(judge({1, 0.985, 1.015}, same, 0.02), Verdict::equal_within);
  EXPECT_EQ(judge({1.01, 1.005, 1.015}, same, 0.02), Verdict::equal_within);
  EXPECT_EQ(judge({1.05, 1.04, 1.06}, same, 0.02), Verdict::slower);
  EXPECT_EQ(judge({1.02, 1.001, 1.03}, same, 0.02), Verdict::slower);
  EXPECT_EQ(judge({0.9, 0.89, 0.91}, same, 0.02), Verdict::faster);
  EXPECT_EQ(judge({1.02, 0.99, 1.05}, same, 0.02), Verdict::ambiguous);
  EXPECT_EQ(judge({1, 0.9, 1.1}, same, 0.02), Verdict::ambiguous);
}

TEST(Judge, NothingFollowsWhenTheControlDiffersFromItself) {
  EXPECT_EQ(judge({1.5, 1.4, 1.6}, {1.05, 1.03, 1.07}, 0.02), Verdict::ambiguous);
  EXPECT_EQ(judge({1.5, 1.4, 1.6}, {0.95, 0.93, 0.97}, 0.02), Verdict::ambiguous);
  EXPECT_EQ(judge({1.5, 1.4, 1.6}, {1.05, 1.01, 1.07}, 0.02), Verdict::slower);
}

TEST(BreaksLimit, OnlyWithTheWholeInterval) {
  EXPECT_TRUE(breaks_limit({1.3, 1.26, 1.34}, 1.25));
  EXPECT_FALSE(breaks_limit({1.3, 1.25, 1.34}, 1.25));
  EXPECT_FALSE(breaks_limit({1.3, 1.2, 1.4}, 1.25));
}

TEST(VerdictNames, AreThoseOfTheReport) {
  EXPECT_EQ(to_string(Verdict::faster), "faster");
  EXPECT_EQ(to_string(Verdict::slower), "slower");
  EXPECT_EQ(to_string(Verdict::equal_within), "equal-within");
  EXPECT_EQ(to_string(Verdict::ambiguous), "ambiguous");
}

}  // namespace
}  // namespace quadpair::timing
