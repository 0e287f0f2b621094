#include "kernels/common/plan.hpp"

#include <gtest/gtest.h>

#include <set>

#include "kernels/common/error.hpp"
#include "kernels/qpn2/gemm.hpp"

namespace quadpair::qpn2 {
namespace {

TEST(Plan, VoltaText) {
  EXPECT_EQ(to_string(accumulation_plan(384, {8, 2}, Target::sm70)),
            "m8n8k4 unit 16: c0[0-3] c1[4-7] c0[8-11] c1[12-15]; slices 0 3 6 9 12 15 18 21 24");
  EXPECT_EQ(to_string(accumulation_plan(128, {8, 1}, Target::sm70)),
            "m8n8k4 unit 16: c0[0-3] c0[4-7] c0[8-11] c0[12-15]; slices 0 1 2 3 4 5 6 7 8");
}

TEST(Plan, NativeText) {
  // The instruction's k 0..7 are the first two of a step's four k in groups 0..3, its k 8..15 the last two.
  EXPECT_EQ(to_string(accumulation_plan(576, {8, 2}, Target::sm90)),
            "m16n8k16 unit 64: c0[0-1,16-17,32-33,48-49,2-3,18-19,34-35,50-51] "
            "c1[4-5,20-21,36-37,52-53,6-7,22-23,38-39,54-55] "
            "c0[8-9,24-25,40-41,56-57,10-11,26-27,42-43,58-59] "
            "c1[12-13,28-29,44-45,60-61,14-15,30-31,46-47,62-63]; slices 0 1 2 3 4 5 6 7 9");
}

TEST(Plan, NativeSlicesMayBeEmpty) {
  const AccumulationPlan plan = accumulation_plan(64, {8, 1}, Target::sm80);
  EXPECT_EQ(plan.slices, (std::vector<std::uint32_t>{0, 0, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(plan, accumulation_plan(64, {8, 1}, Target::sm90));
}

TEST(Plan, EveryKIsSummedOnce) {
  for (Target target : {Target::sm70, Target::sm80})
    for (std::uint32_t chains : {1u, 2u}) {
      const AccumulationPlan plan = accumulation_plan(1024, {16, chains}, target);
      std::set<std::uint16_t> seen;
      std::size_t count = 0;
      for (const FusedStep& step : plan.steps) {
        EXPECT_EQ(step.k.size(), products(plan.mma));
        EXPECT_LT(step.chain, chains);
        seen.insert(step.k.begin(), step.k.end());
        count += step.k.size();
      }
      EXPECT_EQ(count, plan.unit_k);
      EXPECT_EQ(seen.size(), plan.unit_k);
      EXPECT_EQ(plan.k(), 1024u);
      EXPECT_EQ(plan.slice_count(), 16u);
    }
}

TEST(Plan, InadmissibleIsRefused) {
  EXPECT_THROW(accumulation_plan(576, {8, 2}, Target::sm70), Refused);
  EXPECT_THROW(accumulation_plan(100, {8, 2}, Target::sm90), Refused);
}

}  // namespace
}  // namespace quadpair::qpn2
