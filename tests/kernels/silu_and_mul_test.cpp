// What silu_and_mul admits and launches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/wide/silu_and_mul.hpp"
#include "tests/kernels/refusal.hpp"

namespace quadpair {
namespace {

using quadpair::testing::refusal;
using ::testing::HasSubstr;

TEST(SiluAndMul, LaunchesAndRefusals) {
  const wide::SiluAndMulArguments good{3, 300, 320, 0x1002, 620, 0x2002, 301};
  const Launch launch = wide::silu_and_mul(good, Target::sm80).at(0);
  EXPECT_EQ(launch.grid, (Dim3{3, 2, 1}));
  EXPECT_EQ(launch.block, (Dim3{256, 1, 1}));
  const auto message = [&](auto spoil) {
    wide::SiluAndMulArguments a = good;
    spoil(a);
    return refusal([&] { wide::silu_and_mul(a, Target::sm70); });
  };
  EXPECT_THAT(message([](auto& a) { a.columns = 0; }), HasSubstr("no columns"));
  EXPECT_THAT(message([](auto& a) { a.up = 299; }), HasSubstr("up=299"));
  EXPECT_THAT(message([](auto& a) { a.ldx = 619; }), HasSubstr("ldx=619"));
  EXPECT_THAT(message([](auto& a) { a.ldy = 299; }), HasSubstr("ldy=299"));
  EXPECT_THAT(message([](auto& a) { a.x = 0x1001; }), HasSubstr("x is null or not 2-byte aligned"));
  EXPECT_THAT(message([](auto& a) { a.y = 0; }), HasSubstr("y is null"));
  wide::SiluAndMulArguments none = good;
  none.m = 0, none.x = 0;
  EXPECT_TRUE(wide::silu_and_mul(none, Target::sm70).empty());
}

}  // namespace
}  // namespace quadpair
