#include "kernels/qpn2/tuning.hpp"

#include <gtest/gtest.h>

#include "kernels/common/error.hpp"
#include "kernels/qpn2/gemm.hpp"

namespace quadpair::qpn2 {
namespace {

TEST(Tuning, ProductionShapesOnVolta) {
  EXPECT_EQ(to_string(tuned(1536, 5120, Target::sm70, false)), "s8.c2");
  EXPECT_EQ(to_string(tuned(4352, 5120, Target::sm70, false)), "s16.c2");
  EXPECT_EQ(to_string(tuned(5120, 3584, Target::sm70, false)), "s16.c2");
  EXPECT_EQ(to_string(tuned(5120, 4128, Target::sm70, false)), "s16.c2");
  EXPECT_EQ(to_string(tuned(5120, 8704, Target::sm70, false)), "s8.c2");
  EXPECT_EQ(to_string(tuned(5120, 8704, Target::sm70, true)), "s8.c2");
}

TEST(Tuning, ProductionShapesNative) {
  for (Target target : {Target::sm80, Target::sm90}) {
    EXPECT_EQ(to_string(tuned(1536, 5120, target, false)), "s12.c1");
    EXPECT_EQ(to_string(tuned(4352, 5120, target, false)), "s12.c1");
    EXPECT_EQ(to_string(tuned(5120, 3584, target, false)), "s16.c1");
    EXPECT_EQ(to_string(tuned(5120, 4128, target, false)), "s16.c1");
    EXPECT_EQ(to_string(tuned(5120, 8704, target, false)), "s8.c1");
    EXPECT_EQ(to_string(tuned(5120, 8704, target, true)), "s8.c1");
    EXPECT_EQ(to_string(tuned(1536, 5120, target, true)), "s16.c2");  // gated has no 12 slices
  }
}

TEST(Tuning, UntunedShapesTakeTheLargestSliceCountUpTo16ThatDividesTheGroups) {
  for (Target target : {Target::sm70, Target::sm80, Target::sm90})
    for (bool gated : {false, true}) {
      for (std::uint32_t k : {384u, 640u}) EXPECT_EQ(tuned(k, 64, target, gated), (Tuning{8, 2})) << k;
      for (std::uint32_t k : {768u, 1536u, 3072u})
        EXPECT_EQ(tuned(k, 64, target, gated), (Tuning{16, 2})) << k;
    }
  for (std::uint32_t k : {64u, 576u}) EXPECT_EQ(tuned(k, 64, Target::sm90, false), (Tuning{8, 2})) << k;
  EXPECT_EQ(tuning_rule(576, 64, Target::sm70, false), std::nullopt);
}

TEST(Tuning, NothingAdmissibleIsRefusedByName) {
  try {
    tuned(576, 64, Target::sm70, false);
    FAIL();
  } catch (const Refused& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("K=576"), std::string::npos);
  }
}

}  // namespace
}  // namespace quadpair::qpn2
