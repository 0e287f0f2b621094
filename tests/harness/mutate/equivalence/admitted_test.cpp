// What an entry of QPN2 is taken to be launched with, against what its operator admits and launches.
#include "harness/mutate/equivalence/admitted.hpp"

#include <gtest/gtest.h>

#include "harness/mutate/entry_text.hpp"
#include "kernels/qpn2/gated.hpp"
#include "kernels/qpn2/gemm.hpp"

namespace quadpair::mutate {
namespace {

qpn2::GemmArguments arguments(std::uint32_t m, std::uint32_t n) {
  qpn2::GemmArguments a;
  a.codes = a.scales = a.x = a.y = 0x1000;
  a.global.value = 0x3C00;
  a.m = m, a.n = n, a.k = 256, a.ldx = 264, a.ldy = n;
  return a;
}

bool admitted(const Launch& launch) {
  return EntryText(*launch.module, launch.entry).admitted().admit(launch);
}

TEST(Admitted, EveryNumberOfRows) {
  for (const Target target : {Target::sm70, Target::sm80, Target::sm90})
    for (const std::uint32_t m : {1u, 8u, 9u, 16u, 17u, 32u, 33u, 64u}) {
      for (const std::uint32_t s : {8u, 16u})
        EXPECT_TRUE(admitted(qpn2::gated(arguments(m, 130), {s, 1}, target).at(0))) << m;
      EXPECT_TRUE(admitted(qpn2::gemm(arguments(m, 67), {8, 2}, target).at(0))) << m;
    }
}

TEST(Admitted, NothingElse) {
  const Launch launch = qpn2::gemm(arguments(7, 64), {8, 2}, Target::sm70).at(0);
  EXPECT_TRUE(admitted(launch));
  Launch other = launch;
  other.grid.y = 2;  // more rows than an entry of one row block is taken for
  EXPECT_FALSE(admitted(other));
  const auto changed = [&](std::uint32_t m, std::uint32_t k, std::uint32_t ldx, std::uint16_t g) {
    Launch one = launch;
    one.arguments = {};
    for (int pointer = 0; pointer < 5; ++pointer) one.arguments.add(DevicePtr{0x1000});
    for (const std::uint32_t number : {m, 64u, k, ldx, 64u}) one.arguments.add(number);
    one.arguments.add(g);
    return admitted(one);
  };
  EXPECT_TRUE(changed(8, 256, 256, 0x3C00));
  EXPECT_FALSE(changed(9, 256, 256, 0x3C00));  // two row blocks
  EXPECT_FALSE(changed(0, 256, 256, 0x3C00));
  EXPECT_FALSE(changed(8, 192, 256, 0x3C00));  // twelve groups over eight slices
  EXPECT_FALSE(changed(8, 256, 260, 0x3C00));
  EXPECT_FALSE(changed(8, 256, 256, 0x7C00));  // infinite
}

}  // namespace
}  // namespace quadpair::mutate
