#include "reference/lm_head/candidates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace quadpair::reference {
namespace {

using testing::ElementsAre;

TEST(SortScored, NanFirstThenDescendingTiesToTheLowestId) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  std::vector<Scored> scored = {{1, 9},   {nan, 8}, {-0.0F, 7}, {0.0F, 6}, {1, 5},
                                {inf, 4}, {nan, 3}, {-inf, 2},  {-0.0F, 1}};
  sort_scored(scored);
  std::vector<std::uint32_t> ids;
  ids.reserve(scored.size());
  for (const Scored& s : scored) ids.push_back(s.id);
  EXPECT_THAT(ids, ElementsAre(3, 8, 4, 5, 9, 1, 6, 7, 2));
}

TEST(Screened, ByHand) {
  // Rows of five logits in chunks of three, two kept: 1, 3, 3, 2, NaN and equal ones.
  const std::vector<Half> logits = {
      0x3C00, 0x4200, 0x4200, 0x4000, 0x7E00, 0x7FFF,  // the last is not a logit
      0x3C00, 0x3C00, 0x3C00, 0x3C00, 0x3C00, 0x7FFF};
  EXPECT_THAT(screened(logits.data(), 2, 5, 6, 3, 2), ElementsAre(1, 2, 4, 3, 0, 1, 3, 4));
  EXPECT_THAT(screened(logits.data(), 1, 4, 6, 3, 2), ElementsAre(1, 2, 3, 0xFFFFFFFF));
}

TEST(Best, FewerWhereThereAreFewer) {
  EXPECT_THAT(best({{1, 5}, {2, 6}, {2, 4}}, 2), ElementsAre(Scored{2, 4}, Scored{2, 6}));
  EXPECT_THAT(best({{1, 5}}, 2), ElementsAre(Scored{1, 5}));
}

}  // namespace
}  // namespace quadpair::reference
