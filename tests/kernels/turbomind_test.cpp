// What packing for TurboMind and restoring its scales admit and launch.
#include "kernels/convert/turbomind.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/common/error.hpp"

namespace quadpair::convert {
namespace {

using testing::HasSubstr;

PackTurbomindArguments good_pack() {
  return {40, 64, 2, 0x1000, 0x2004, global_parts(std::vector{0.5f}, 2), 0x3004, 0x4002};
}

std::string refusal(const PackTurbomindArguments& a) {
  try {
    pack_turbomind(a, Target::sm70);
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "admitted";
}

std::string refusal(const RestoreArguments& a) {
  try {
    restore_tm_scales(a, Target::sm80);
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "admitted";
}

TEST(PackTurbomind, Launches) {
  PackTurbomindArguments a = good_pack();
  a.k = 1024;
  const Launch launch = pack_turbomind(a, Target::sm90).at(0);
  EXPECT_EQ(launch.entry, "pack_turbomind");
  EXPECT_EQ(launch.grid, (Dim3{2, 2, 1}));  // a tile of each half; 64 groups, 32 a block
  EXPECT_EQ(launch.block, (Dim3{256, 1, 1}));
}

TEST(PackTurbomind, RefusesByName) {
  EXPECT_EQ(refusal(good_pack()), "admitted");
  auto a = good_pack();
  a.k = 96;
  EXPECT_THAT(refusal(a), HasSubstr("K=96"));
  a = good_pack(), a.n = 41;
  EXPECT_THAT(refusal(a), HasSubstr("N=41"));
  a = good_pack(), a.n = 0;
  EXPECT_THAT(refusal(a), HasSubstr("N=0"));
  a = good_pack(), a.halves = 3;
  EXPECT_THAT(refusal(a), HasSubstr("halves=3"));
  a = good_pack(), a.codes = 0x1008;
  EXPECT_THAT(refusal(a), HasSubstr("codes are null or not 16-byte aligned"));
  a = good_pack(), a.scales = 0;
  EXPECT_THAT(refusal(a), HasSubstr("scales are null or not 4-byte aligned"));
  a = good_pack(), a.packed_codes = 0x3002;
  EXPECT_THAT(refusal(a), HasSubstr("packed codes are not 4-byte aligned"));
  a = good_pack(), a.packed_scales = 0x4001;
  EXPECT_THAT(refusal(a), HasSubstr("packed scales are not 2-byte aligned"));
  a = good_pack(), a.packed_codes = a.packed_scales = 0;
  EXPECT_THAT(refusal(a), HasSubstr("no output is wanted"));
  a = good_pack(), a.globals = global_parts(std::vector{0.5f}, 3);
  EXPECT_THAT(refusal(a), HasSubstr("end at tile 3, not 2"));
  a = good_pack(), a.packed_scales = 0, a.scales = 0, a.globals = {};
  EXPECT_EQ(refusal(a), "admitted");
  a = good_pack(), a.packed_codes = 0, a.codes = 0;
  EXPECT_EQ(refusal(a), "admitted");
}

TEST(RestoreTmScales, LaunchesAndRefusals) {
  const RestoreArguments good{64, 1024, 0x1001, global_parts(std::vector{2.0f}, 2), 0x2002};
  const Launch launch = restore_tm_scales(good, Target::sm70).at(0);
  EXPECT_EQ(launch.entry, "restore_tm_scales");
  EXPECT_EQ(launch.grid, (Dim3{2, 2, 1}));
  auto a = good;
  a.padded_n = 72;
  EXPECT_THAT(refusal(a), HasSubstr("N=72"));
  a = good, a.padded_n = 0;
  EXPECT_THAT(refusal(a), HasSubstr("N=0"));
  a = good, a.k = 32;
  EXPECT_THAT(refusal(a), HasSubstr("K=32"));
  a = good, a.qpn2_scales = 0;
  EXPECT_THAT(refusal(a), HasSubstr("QPN2 scales are null"));
  a = good, a.scales = 0x2001;
  EXPECT_THAT(refusal(a), HasSubstr("scales are null or not 2-byte aligned"));
  a = good, a.globals.g[0] = -1;
  EXPECT_THAT(refusal(a), HasSubstr("part 0"));
}

}  // namespace
}  // namespace quadpair::convert
