#include "kernels/qpn2/tuning.hpp"

#include <gtest/gtest.h>

#include "kernels/common/error.hpp"
#include "kernels/qpn2/gemm.hpp"

namespace quadpair::qpn2 {
namespace {

constexpr Target all_targets[] = {Target::sm70, Target::sm80, Target::sm90};

TEST(Tuning, ProductionShapes) {
  for (Target target : all_targets) {
    EXPECT_EQ(to_string(tuned(1536, 5120, target, false)), "s8.c2");
    EXPECT_EQ(to_string(tuned(4352, 5120, target, false)), "s16.c2");
    EXPECT_EQ(to_string(tuned(5120, 3584, target, false)), "s16.c2");
    EXPECT_EQ(to_string(tuned(5120, 4128, target, false)), "s16.c2");
    EXPECT_EQ(to_string(tuned(5120, 8704, target, false)), "s8.c2");
    EXPECT_EQ(to_string(tuned(5120, 8704, target, true)), "s8.c2");
  }
}

TEST(Tuning, UntunedShapesTakeTheLargestAdmissibleSliceCountUpTo16) {
  for (bool gated : {false, true}) {
    for (std::uint32_t k : {384u, 640u}) EXPECT_EQ(tuned(k, 64, Target::sm70, gated), (Tuning{8, 2})) << k;
    for (std::uint32_t k : {768u, 1536u, 3072u})
      EXPECT_EQ(tuned(k, 64, Target::sm70, gated), (Tuning{16, 2})) << k;
    for (std::uint32_t k : {64u, 384u, 576u, 3072u})
      EXPECT_EQ(tuned(k, 64, Target::sm90, gated), (Tuning{16, 2})) << k;
  }
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
