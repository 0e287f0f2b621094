// Each rule of admission refuses by name, and nothing else is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "kernels/common/error.hpp"
#include "kernels/qpn2/gated.hpp"
#include "kernels/qpn2/gemm.hpp"

namespace quadpair::qpn2 {
namespace {

using testing::HasSubstr;

std::string reason(std::uint32_t m, std::uint32_t n, std::uint32_t k, Tuning tuning,
                   Target target = Target::sm70, bool gated = false) {
  return why_refused(m, n, k, tuning, target, gated).value_or("admitted");
}

TEST(Admission, SlicesOfKAreNeverTruncated) {
  EXPECT_THAT(reason(1, 32, 576, {8, 2}), HasSubstr("K=576 with S=8"));
  EXPECT_EQ(reason(1, 32, 640, {8, 2}), "admitted");
  EXPECT_THAT(reason(1, 32, 640, {16, 2}), HasSubstr("K=640 with S=16"));
  EXPECT_EQ(reason(1, 32, 768, {16, 2}), "admitted");
  EXPECT_THAT(reason(1, 32, 768, {32, 2}), HasSubstr("K=768 with S=32"));
  for (std::uint32_t k : {1536u, 3072u}) EXPECT_EQ(reason(1, 32, k, {32, 1}), "admitted") << k;
}

TEST(Admission, NativeSlicesMayBeUnevenOrEmpty) {
  for (Target target : {Target::sm80, Target::sm90}) {
    EXPECT_EQ(reason(1, 32, 576, {8, 2}, target), "admitted");
    EXPECT_EQ(reason(1, 32, 64, {32, 1}, target), "admitted");
  }
}

TEST(Admission, ShapeAndTuning) {
  for (Target target : {Target::sm70, Target::sm80, Target::sm90}) {
    EXPECT_THAT(reason(1, 32, 1568, {8, 2}, target), HasSubstr("K=1568"));
    EXPECT_THAT(reason(1, 32, 0, {8, 2}, target), HasSubstr("K=0"));
    EXPECT_THAT(reason(1, 0, 1024, {8, 2}, target), HasSubstr("N=0"));
    EXPECT_THAT(reason(65, 32, 1024, {8, 2}, target), HasSubstr("M=65"));
    for (std::uint32_t s : {0u, 4u, 64u})
      EXPECT_THAT(reason(1, 32, 4096, {s, 2}, target), HasSubstr("S=" + std::to_string(s)));
    for (std::uint32_t c : {0u, 3u})
      EXPECT_THAT(reason(1, 32, 1024, {8, c}, target), HasSubstr("C=" + std::to_string(c)));
    EXPECT_EQ(reason(64, 1, 1024, {32, 1}, target), "admitted");
    EXPECT_EQ(reason(0, 33, 1024, {8, 2}, target), "admitted");
  }
}

TEST(Admission, TwelveSlicesAreNativeAndPlain) {
  EXPECT_THAT(reason(1, 32, 1536, {12, 2}, Target::sm70), HasSubstr("S=12: not 8, 16 or 32"));
  EXPECT_THAT(reason(1, 64, 1536, {12, 1}, Target::sm90, true), HasSubstr("S=12: not 8, 16 or 32"));
  for (Target target : {Target::sm80, Target::sm90}) {
    EXPECT_EQ(reason(1, 32, 1536, {12, 1}, target), "admitted");
    EXPECT_THAT(reason(1, 32, 1536, {4, 1}, target), HasSubstr("S=4: not 8, 12, 16 or 32"));
  }
}

TEST(Admission, GatedAdmitsLess) {
  EXPECT_THAT(reason(1, 64, 1024, {32, 2}, Target::sm70, true), HasSubstr("S=32"));
  EXPECT_THAT(reason(1, 33, 1024, {8, 2}, Target::sm70, true), HasSubstr("N=33"));
  EXPECT_EQ(reason(1, 160, 1024, {16, 2}, Target::sm90, true), "admitted");
}

GemmArguments good() {
  GemmArguments a;
  a.m = 3, a.n = 40, a.k = 1024, a.ldx = 1032, a.ldy = 40;
  a.codes = 0x10000, a.scales = 0x20010, a.x = 0x30000, a.y = 0x40002;
  a.global.value = 0x3C00;
  return a;
}

struct BadArgument {
  const char* words;
  std::function<void(GemmArguments&)> spoil;
};

const BadArgument bad_arguments[] = {
    {"codes", [](GemmArguments& a) { a.codes = 0; }},
    {"codes", [](GemmArguments& a) { a.codes += 8; }},
    {"scales", [](GemmArguments& a) { a.scales = 0; }},
    {"scales", [](GemmArguments& a) { a.scales += 4; }},
    {"x is", [](GemmArguments& a) { a.x = 0; }},
    {"x is", [](GemmArguments& a) { a.x += 8; }},
    {"y is", [](GemmArguments& a) { a.y = 0; }},
    {"y is", [](GemmArguments& a) { a.y += 1; }},
    {"ldx=1028", [](GemmArguments& a) { a.ldx = 1028; }},
    {"ldx=67108872 is more", [](GemmArguments& a) { a.ldx = (1 << 26) + 8; }},
    {"ldx=1016", [](GemmArguments& a) { a.ldx = 1016; }},
    {"ldy=", [](GemmArguments& a) { a.ldy = 19; }},
    {"global scale is", [](GemmArguments& a) { a.global.value = 0; }},
    {"global scale is", [](GemmArguments& a) { a.global.value = 0x7C00; }},
    {"global scale is", [](GemmArguments& a) { a.global.value = 0xBC00; }},
    {"global scales are", [](GemmArguments& a) { a.global.tiles = 0x50001; }},
    {"M=65", [](GemmArguments& a) { a.m = 65; }},
};

TEST(Admission, BadArgumentsAreRefusedByName) {
  for (const BadArgument& bad : bad_arguments) {
    GemmArguments arguments = good();
    bad.spoil(arguments);
    for (auto* launches : {&gemm, &gated}) {
      try {
        launches(arguments, {8, 2}, Target::sm80);
        ADD_FAILURE() << "admitted: " << bad.words;
      } catch (const Refused& refusal) {
        EXPECT_THAT(refusal.what(), HasSubstr(bad.words));
        EXPECT_THAT(refusal.what(), HasSubstr(launches == &gemm ? "qpn2_gemm" : "qpn2_gated"));
      }
    }
  }
}

TEST(Admission, LeadingDimensionOfYIsOfTheOutput) {
  GemmArguments arguments = good();
  arguments.ldy = 20;  // the gated output has 20 columns, the plain one 40
  EXPECT_THROW(gemm(arguments, {8, 2}, Target::sm70), Refused);
  EXPECT_EQ(gated(arguments, {8, 2}, Target::sm70).size(), 1u);
}

TEST(Admission, NoRowsTouchNothing) {
  GemmArguments arguments;
  arguments.n = 32, arguments.k = 1024;
  EXPECT_TRUE(gemm(arguments, {8, 2}, Target::sm70).empty());
  EXPECT_TRUE(gated(arguments, {8, 2}, Target::sm90).empty());
  arguments.k = 576;
  EXPECT_THROW(gemm(arguments, {8, 2}, Target::sm70), Refused);
}

}  // namespace
}  // namespace quadpair::qpn2
