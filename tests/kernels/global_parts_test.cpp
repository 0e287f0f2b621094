// Global scales that go by value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "kernels/common/global_parts.hpp"
#include "tests/kernels/refusal.hpp"

namespace quadpair {
namespace {

using quadpair::testing::refusal;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(GlobalParts, NeighboursWithOneMultiplierAreOnePart) {
  const GlobalParts one = global_parts(std::vector{0.5f}, 7);
  EXPECT_THAT(one.end, ElementsAre(7, 7, 7, 7, 7, 7, 7, 7));
  EXPECT_EQ(one.g[0], 0.5f);
  const GlobalParts three = global_parts(std::vector{2.0f, 2.0f, 0.5f, 2.0f}, 4);
  EXPECT_THAT(three.end, ElementsAre(2, 3, 4, 4, 4, 4, 4, 4));
  EXPECT_EQ(three.g[0], 2.0f);
  EXPECT_EQ(three.g[1], 0.5f);
  EXPECT_EQ(three.g[2], 2.0f);
  std::vector<float> alternating{1, 2, 1, 2, 1, 2, 1, 2};
  EXPECT_THAT(global_parts(alternating, 8).end, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  alternating.push_back(1.0f);
  EXPECT_THAT(refusal([&] { global_parts(alternating, 9); }), HasSubstr("more than 8 parts"));
  EXPECT_THAT(refusal([&] { global_parts(alternating, 8); }), HasSubstr("9 global scales, not 1 or 8"));
  EXPECT_THAT(refusal([&] { global_parts({}, 0); }), HasSubstr("no tiles"));
}

TEST(GlobalParts, BadPartsAreNamed) {
  GlobalParts parts = global_parts(std::vector{2.0f, 0.5f}, 2);
  EXPECT_EQ(why_refused(parts, 2), std::nullopt);
  EXPECT_EQ(why_refused(parts, 3), "the global scales end at tile 2, not 3");
  for (const float bad :
       {0.0f, -1.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    parts.g[1] = bad;
    EXPECT_EQ(why_refused(parts, 2), "part 1 of the global scales is not positive and finite");
  }
  parts = global_parts(std::vector{2.0f, 0.5f}, 2);
  parts.end[1] = 0;
  EXPECT_EQ(why_refused(parts, 2), "part 1 of the global scales ends before it begins");
}

}  // namespace
}  // namespace quadpair
