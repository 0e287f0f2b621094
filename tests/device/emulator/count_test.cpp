// Counts: exact, by hand, and the same for any number of threads.
#include <gmock/gmock.h>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// A loop of `ctaid.x` turns in every warp; in the last one, odd lanes skip an instruction.
constexpr const char* body =
    ".reg .b32 %b, %n, %t; .reg .f32 %f<20>; .reg .pred %p;\n"
    "mov.u32 %b, %ctaid.x; mov.u32 %n, 0; mov.u32 %t, %tid.x;\n"      // 3 move
    "TOP: setp.ge.u32 %p, %n, %b; @%p bra DONE;\n"                    // (b+1) compare, branch
    "add.u32 %n, %n, 1; bra TOP;\n"                                   // b integer, branch
    "DONE: and.b32 %t, %t, 1; setp.eq.u32 %p, %t, 1; @%p bra ODD;\n"  // logic, compare, branch
    "add.f32 %f0, %f1, %f2;\n"                                        // fp32
    "ODD: mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, {%t,%n}, "
    "{%t,%n}, "
    "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};\n"
    "ret;";  // branch

TEST(Counts, AreThoseOfTheInstructionsExecuted) {
  for (const unsigned threads : {1u, 2u, 3u}) {
    KernelRunner runner("", body, {.threads = threads});
    for (int repetition = 0; repetition < 2; ++repetition) {
      runner.run({5}, {96}, Arguments());  // 15 warps; turns: 3 * (0 + 1 + 2 + 3 + 4) = 30
      const Cost cost = runner.device().take_cost().value();
      EXPECT_THAT(cost.warp_instructions,
                  ElementsAre(Pair("integer", 30), Pair("logic", 15), Pair("fp32", 15), Pair("move", 45),
                              Pair("compare", 30 + 15 + 15), Pair("branch", 45 + 30 + 15 + 15)));
      EXPECT_THAT(cost.mma, ElementsAre(Pair("m8n8k4", 15)));
      EXPECT_EQ(cost.divergent_branches, 15u);
    }
  }
}

TEST(Counts, BeginAnewWhenTaken) {
  KernelRunner runner("", body);
  runner.run({2}, {32}, Arguments());
  runner.run({2}, {32}, Arguments());
  EXPECT_EQ(runner.device().take_cost()->mma[0].second, 4u);
  const Cost cost = runner.device().take_cost().value();
  EXPECT_THAT(cost.warp_instructions, IsEmpty());
  EXPECT_THAT(cost.mma, IsEmpty());
  EXPECT_EQ(cost.divergent_branches, 0u);
}

// Both sides of a divergent branch run, one after the other; an instruction whose guard is off is issued too.
TEST(Counts, BothSidesOfADivergenceAndGuardedInstructions) {
  KernelRunner runner(
      "",
      ".reg .b32 %t, %v; .reg .pred %p; mov.u32 %t, %tid.x; setp.lt.u32 %p, %t, 8;\n"
      "@%p bra LEFT; xor.b32 %v, %t, 1; bra JOIN; LEFT: add.u32 %v, %t, 1; add.u32 %v, %v, %v;\n"
      "JOIN: setp.gt.u32 %p, %t, 100; @%p mul.lo.u32 %v, %v, %v; ret;");
  runner.run({1}, {32}, Arguments());
  const Cost cost = runner.device().take_cost().value();
  EXPECT_THAT(cost.warp_instructions, ElementsAre(Pair("integer", 3), Pair("logic", 1), Pair("move", 1),
                                                  Pair("compare", 2), Pair("branch", 3)));
  EXPECT_EQ(cost.divergent_branches, 1u);
}

}  // namespace
}  // namespace quadpair::device
