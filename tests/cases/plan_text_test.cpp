#include "cases/plan_text.hpp"

#include <gtest/gtest.h>

namespace quadpair::cases {
namespace {

using qpn2::Tuning;

TEST(PlanText, ReadsPlansAsIdsWriteThem) {
  EXPECT_EQ(plan_from_text("s16.c2"), (Tuning{16, 2}));
  EXPECT_EQ(plan_from_text("s8.c1"), (Tuning{8, 1}));
  for (const char* text : {"", "s", "s8", "s8.", "s8.c", "s8.c2x", "8.c2", "s8,c2", "sx.c2", "tuned"})
    EXPECT_EQ(plan_from_text(text), std::nullopt) << text;
}

TEST(PlanText, ReadsThresholdsAndWorkspaces) {
  const auto thresholds = thresholds_from_text("q8.d64");
  ASSERT_TRUE(thresholds);
  EXPECT_EQ(thresholds->qpn2_rows, 8u);
  EXPECT_EQ(thresholds->dense_rows, 64u);
  EXPECT_EQ(thresholds_from_text("q0.d0")->dense_rows, 0u);
  for (const char* text : {"", "q", "q8", "q8.", "q8.d", "q8.d64x", "8.d64", "q8,d64", "qx.d1", "s8.c1"})
    EXPECT_FALSE(thresholds_from_text(text)) << text;
  EXPECT_EQ(workspace_from_text("w65536"), 65536u);
  for (const char* text : {"", "w", "65536", "w65536x", "wx", "w-1"})
    EXPECT_FALSE(workspace_from_text(text)) << text;
}

}  // namespace
}  // namespace quadpair::cases
