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

}  // namespace
}  // namespace quadpair::cases
