#include "harness/run/deal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace quadpair::run {
namespace {

using testing::ElementsAre;

std::vector<std::uint64_t> loads_of(const std::vector<std::uint64_t>& costs,
                                    const std::vector<std::uint32_t>& dealt, std::uint32_t parts) {
  std::vector<std::uint64_t> loads(parts);
  for (std::size_t i = 0; i < costs.size(); ++i) loads.at(dealt[i]) += costs[i];
  return loads;
}

TEST(Deal, TheCostliestFirstToWhoHasLeast) {
  // 7 to 0, 5 to 1, a 4 to 1 (5 < 7), a 4 to 0 (7 < 9)
  EXPECT_THAT(deal(std::vector<std::uint64_t>{4, 7, 4, 5}, 2), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(deal(std::vector<std::uint64_t>{1, 1, 1}, 1), ElementsAre(0, 0, 0));
}

TEST(Deal, SuitesComeOutEven) {
  for (const char* name : {"default", "production"}) {
    const cases::Suite suite = cases::load_suite(name);
    std::vector<std::uint64_t> costs;
    for (const cases::Case& c : suite.cases) costs.push_back(estimated_cost(c, *suite.slices));
    constexpr std::uint32_t parts = 8;
    const std::vector<std::uint64_t> loads = loads_of(costs, deal(costs, parts), parts);
    const std::uint64_t total = std::accumulate(costs.begin(), costs.end(), std::uint64_t{0});
    const std::uint64_t least = std::max(total / parts, *std::ranges::max_element(costs));
    EXPECT_LE(std::ranges::max(loads), least * 4 / 3) << name;
    EXPECT_GT(std::ranges::min(loads), 0u) << name;
  }
}

TEST(Deal, CostGrowsWithRowsAndWeights) {
  cases::Case c;
  c.slice = "minilm.0.o";  // 384 x 384
  const auto cost = [&] { return estimated_cost(c, *cases::built_in_slices()); };
  c.m = 10;
  EXPECT_EQ(multiplications(c, *cases::built_in_slices()), 10u * 384 * 384);
  const std::uint64_t ten = cost();
  c.m = 1;
  EXPECT_LT(cost(), ten);
  c.slice = "no such slice";
  EXPECT_EQ(multiplications(c, *cases::built_in_slices()), 0u);
  EXPECT_GT(cost(), 0u);
}

}  // namespace
}  // namespace quadpair::run
