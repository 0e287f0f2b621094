#include "harness/bench/limit.hpp"

#include <gtest/gtest.h>

namespace quadpair::bench {
namespace {

Comparison comparison(double low, double ratio, double high, const char* verdict = "slower") {
  Comparison made;
  made.record.ratio = ratio;
  made.record.ratio_low = low;
  made.record.ratio_high = high;
  made.record.verdict = verdict;
  return made;
}

TEST(Limit, TheWholeIntervalDecides) {
  EXPECT_EQ(hold(comparison(1.21, 1.25, 1.29), 1.2), Outcome::broken);
  EXPECT_EQ(hold(comparison(1.19, 1.25, 1.29), 1.2), Outcome::undecided);
  EXPECT_EQ(hold(comparison(1.1, 1.15, 1.2), 1.2), Outcome::kept);
  // Undecided against 1, yet clearly within the limit.
  EXPECT_EQ(hold(comparison(0.9, 1, 1.1, "ambiguous"), 1.2), Outcome::kept);
}

TEST(Limit, WhatCouldNotBeMeasuredIsUndecided) {
  Comparison unsteady = comparison(1.3, 1.3, 1.3);
  unsteady.steady = false;
  EXPECT_EQ(hold(unsteady, 1.2), Outcome::undecided);
  EXPECT_EQ(hold(Comparison{}, 1.2), Outcome::undecided);
}

TEST(Limit, WithoutALimitTheVerdictDecides) {
  EXPECT_EQ(hold(comparison(1.3, 1.3, 1.3), std::nullopt), Outcome::kept);
  EXPECT_EQ(hold(comparison(0.9, 1, 1.1, "ambiguous"), std::nullopt), Outcome::undecided);
}

}  // namespace
}  // namespace quadpair::bench
