#include "harness/timing/working_set.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace quadpair::timing {
namespace {

TEST(ColdTensors, HandComputed) {
  EXPECT_EQ(cold_tensors(10, 25), 7u);  // six others touch 60 > 50
  EXPECT_EQ(cold_tensors(10, 20), 6u);  // four others touch exactly 40, which is not more
  EXPECT_EQ(cold_tensors(1000, 20), 2u);
  EXPECT_EQ(cold_tensors(1000, 0), 2u);
  EXPECT_THROW(cold_tensors(0, 20), std::invalid_argument);
  EXPECT_THROW(cold_tensors(1, 50'000'000), std::invalid_argument);
}

TEST(SamplePlan, NodesBySize) {
  EXPECT_EQ(sample_plan(1, 1), (SamplePlan{1, 16, 10}));
  EXPECT_EQ(sample_plan(32, 1), (SamplePlan{1, 16, 10}));
  EXPECT_EQ(sample_plan(33, 1), (SamplePlan{1, 1, 10}));
  EXPECT_EQ(sample_plan(8, 6), (SamplePlan{6, 18, 10}));
  EXPECT_EQ(sample_plan(1023, 6), (SamplePlan{6, 6, 10}));
  EXPECT_EQ(sample_plan(8, 23), (SamplePlan{23, 23, 10}));
  EXPECT_EQ(sample_plan(8, 6).launches(), 180u);
  EXPECT_THROW(sample_plan(8, 0), std::invalid_argument);
}

TEST(SamplePlan, IsPrintable) {
  EXPECT_EQ(to_string(sample_plan(8, 6)), "18 nodes a graph over 6 tensors, 10 replays a sample");
  EXPECT_EQ(to_string(sample_plan(33, 1)), "1 node a graph over 1 tensor, 10 replays a sample");
}

/// The smallest number of bytes of other tensors touched between two uses of the same, over three replays.
std::uint64_t least_between(const SamplePlan& plan, std::uint64_t bytes) {
  std::vector<std::uint32_t> uses;
  for (int replay = 0; replay < 3; ++replay)
    for (std::uint32_t node = 0; node < plan.nodes; ++node) uses.push_back(node % plan.tensors);
  std::uint64_t least = ~std::uint64_t{0};
  for (std::size_t i = 0; i < uses.size(); ++i)
    for (std::size_t j = i + 1; j < uses.size(); ++j)
      if (uses[i] == uses[j]) {
        least = std::min<std::uint64_t>(least, (j - i - 1) * bytes);
        break;
      }
  return least;
}

TEST(SamplePlan, TouchesMoreThanTwiceTheL2BetweenTwoUsesAcrossReplaysToo) {
  for (std::uint64_t l2 : {6u << 20, 50u << 20, 60u << 20})
    for (std::uint64_t bytes : {4'423'680u, 13'369'344u, 25'067'520u})
      for (std::uint32_t m : {8u, 33u}) {
        const std::uint32_t tensors = cold_tensors(bytes, l2);
        EXPECT_GT(least_between(sample_plan(m, tensors), bytes), 2 * l2);
        EXPECT_LE(least_between(sample_plan(m, tensors - 1), bytes), 2 * l2) << "one tensor more than needed";
      }
}

}  // namespace
}  // namespace quadpair::timing
