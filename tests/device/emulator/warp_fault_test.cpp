// Faults of warps and blocks: what needs all lanes reached by some, barriers, endless loops.
#include <gmock/gmock.h>

#include <string>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The fault of a kernel (its body begins on PTX line 7) that has %t = thread, %w = warp and %lane, without
/// arguments.
std::string fault_of(const std::string& body, Dim3 block = {32}, EmulatorOptions options = {.threads = 1},
                     Dim3 grid = {1}) {
  KernelRunner runner(
      "",
      ".reg .b32 %t, %w, %lane, %n, %v; .reg .pred %p; .reg .b32 %f<20>; mov.u32 %t, %tid.x; shr.u32 "
      "%w, %t, 5; and.b32 %lane, %t, 31;\n" +
          body,
      options);
  try {
    runner.run(grid, block, Arguments());
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "no fault";
}

const std::string mma =
    "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, {%f8,%f9}, "
    "{%f10,%f11}, "
    "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};";

TEST(WarpFault, MmaInAPartOfTheWarp) {
  const std::string body = "setp.lt.u32 %p, %lane, 24; @!%p bra OVER;\n" + mma + "\nOVER: ret;";
  EXPECT_THAT(fault_of(body),
              AllOf(HasSubstr("PTX line 8 'mma.sync.aligned.m8n8k4"), HasSubstr("warp 0, lane 24"),
                    HasSubstr("mma reached by a part of the warp")));
  EXPECT_THAT(fault_of(mma + "\nret;", {48}),
              AllOf(HasSubstr("warp 1, lane 16"), HasSubstr("part of the warp")));
  EXPECT_EQ(fault_of(mma + "\nret;"), "no fault");
}

TEST(WarpFault, BarrierInAPartOfTheWarp) {
  EXPECT_THAT(fault_of("setp.eq.u32 %p, %lane, 3; @%p bra OVER;\nbar.sync 0;\nOVER: ret;", {64}),
              AllOf(HasSubstr("PTX line 8 'bar.sync 0'"), HasSubstr("warp 0, lane 3"),
                    HasSubstr("barrier reached by a part of the warp")));
}

TEST(WarpFault, BarrierOfTheLanesThatHaveNotExitedIsNone) {
  EXPECT_EQ(fault_of("setp.ge.u32 %p, %lane, 20; @%p ret;\nbar.sync 0;\nret;", {64}), "no fault");
}

TEST(WarpFault, BarrierThatAWarpNeverReaches) {
  EXPECT_THAT(fault_of("setp.eq.u32 %p, %w, 2; @%p ret;\nbar.sync 0;\nret;", {128}),
              AllOf(HasSubstr("PTX line 8 'bar.sync 0'"), HasSubstr("block (0,0,0), warp 0"),
                    HasSubstr("barrier that not all warps reach: warp 2 has exited")));
}

TEST(WarpFault, WarpsAtDifferentBarriers) {
  EXPECT_THAT(
      fault_of("setp.eq.u32 %p, %w, 1; @%p bra OTHER;\nbar.sync 0;\nret;\nOTHER: bar.sync 1;\nret;", {64}),
      AllOf(HasSubstr("PTX line 8"), HasSubstr("warp 1 waits at barrier 1")));
}

TEST(WarpFault, ShuffleFromALaneThatIsNotThere) {
  EXPECT_THAT(fault_of("setp.ge.u32 %p, %lane, 8; @%p ret;\nshfl.sync.idx.b32 %v, %t, 9, 31, 255;\nret;"),
              AllOf(HasSubstr("lane 0"), HasSubstr("shfl reads lane 9, which is not here")));
}

TEST(WarpFault, MemberMaskThatIsNotTheLanesHere) {
  EXPECT_THAT(fault_of("shfl.sync.bfly.b32 %v, %t, 1, 31, 0xffff;\nret;"),
              HasSubstr("member mask 0x0000ffff, but the lanes here are 0xffffffff"));
  EXPECT_THAT(fault_of("setp.lt.u32 %p, %lane, 4; @!%p bra OVER;\nbar.warp.sync 0xffffffff;\nOVER: ret;"),
              HasSubstr("member mask 0xffffffff, but the lanes here are 0x0000000f"));
}

const std::string endless = "TOP: add.u32 %v, %t, 1;\nbra TOP;";

TEST(WarpFault, EndlessLoop) {
  EXPECT_THAT(fault_of(endless, {32}, {.threads = 1, .budget = 100'000}),
              AllOf(HasSubstr("PTX line 8 'bra TOP'"), HasSubstr("warp 0"),
                    HasSubstr("budget of 100000 warp instructions")));
}

// 4 blocks of 2 warps of 23 instructions: 3 before the loop, 1, 6 times 3, 1 (ret).
TEST(WarpFault, TheBudgetIsTheWholeLaunchs) {
  const std::string body =
      "mov.u32 %n, 0;\nTOP: add.u32 %n, %n, 1; setp.lt.u32 %p, %n, 6; @%p bra TOP;\nret;";
  for (const unsigned threads : {1u, 2u, 3u}) {
    EXPECT_EQ(fault_of(body, {64}, {.threads = threads, .budget = 4 * 2 * 23}, {4}), "no fault");
    EXPECT_THAT(fault_of(body, {64}, {.threads = threads, .budget = 4 * 2 * 23 - 1}, {4}),
                HasSubstr("budget of 183 warp instructions"));
  }
}

}  // namespace
}  // namespace quadpair::device
