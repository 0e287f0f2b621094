#include "cases/plan_rule.hpp"

#include <gtest/gtest.h>

namespace quadpair::cases {
namespace {

using qpn2::Tuning;

TEST(PlanRule, ProductionShapesAreTuned) {
  EXPECT_EQ(plan_by_rule(1536, 5120), (Tuning{8, 2}));
  EXPECT_EQ(plan_by_rule(4352, 5120), (Tuning{16, 2}));
  EXPECT_EQ(plan_by_rule(5120, 3584), (Tuning{16, 2}));
  EXPECT_EQ(plan_by_rule(5120, 4128), (Tuning{16, 2}));
  EXPECT_EQ(plan_by_rule(5120, 8704), (Tuning{8, 2}));
}

TEST(PlanRule, OtherShapesTakeTheLargestAdmissibleUpTo16) {
  EXPECT_EQ(plan_by_rule(384, 1152), (Tuning{8, 2}));   // 24 groups
  EXPECT_EQ(plan_by_rule(640, 3072), (Tuning{8, 2}));   // 40
  EXPECT_EQ(plan_by_rule(768, 2304), (Tuning{16, 2}));  // 48
  EXPECT_EQ(plan_by_rule(1536, 384), (Tuning{16, 2}));  // 96: 32 divides too, and is not taken
  EXPECT_EQ(plan_by_rule(3072, 768), (Tuning{16, 2}));  // 192
  EXPECT_EQ(plan_by_rule(576, 64), std::nullopt);       // 36
}

TEST(PlanRule, ReadsPlansAsIdsWriteThem) {
  EXPECT_EQ(plan_from_text("s16.c2"), (Tuning{16, 2}));
  EXPECT_EQ(plan_from_text("s8.c1"), (Tuning{8, 1}));
  for (const char* text : {"", "s", "s8", "s8.", "s8.c", "s8.c2x", "8.c2", "s8,c2", "sx.c2", "tuned"})
    EXPECT_EQ(plan_from_text(text), std::nullopt) << text;
}

}  // namespace
}  // namespace quadpair::cases
