#include "harness/mutate/instruction_text.hpp"

#include <gtest/gtest.h>

namespace quadpair::mutate {
namespace {

using Words = std::vector<std::string>;

TEST(InstructionText, IsTakenApartAndPutTogether) {
  const InstructionText load = parts_of_instruction("@!%p2 ld.global.v2.u32 {%r1, %r2}, [%rd3+16]");
  EXPECT_EQ(load.guard, "@!%p2");
  EXPECT_EQ(load.mnemonic, "ld.global.v2.u32");
  EXPECT_EQ(load.operands, (Words{"{%r1, %r2}", "[%rd3+16]"}));
  EXPECT_EQ(elements_of(load.operands[0]), (Words{"%r1", "%r2"}));
  EXPECT_EQ(load.text(), "@!%p2 ld.global.v2.u32 {%r1, %r2}, [%rd3+16]");
  const InstructionText barrier = parts_of_instruction("bar.sync 0");
  EXPECT_EQ(barrier.guard, "");
  EXPECT_EQ(barrier.operands, Words{"0"});
  EXPECT_EQ(parts_of_instruction("ret").operands, Words{});
  EXPECT_EQ(parts_of_instruction("@ %p12 bra $L__BB0_3").text(), "@%p12 bra $L__BB0_3");
  EXPECT_EQ(parts_of_instruction("@p ld.global.v2.u32 {%r1, %r2}, [%rd3]").guard, "@p");
}

TEST(InstructionText, IsTheSameForEveryEntryWithoutNumbers) {
  EXPECT_EQ(normalised("mad.lo.s32 %r4, %r569, 12, %r2"), "mad.lo.s32 %r, %r, 12, %r");
  EXPECT_EQ(normalised("@%p12 bra $L__BB6_10"), "@%p bra $L");
  EXPECT_EQ(normalised("mov.u32 %r3, %ctaid.x"), "mov.u32 %r, %ctaid.x");
  EXPECT_EQ(normalised("ld.param.u64 %rd23, [qpn2_gemm_s8_c2_r1_param_0]"), "ld.param.u64 %rd, [param_0]");
  EXPECT_EQ(normalised("mov.u32 %r5, _ZZN8quadpair4qpn27productE7partial"), "mov.u32 %r, variable");
  EXPECT_EQ(normalised("mov.f32 %f1, 0f3F800000"), "mov.f32 %f, 0f3F800000");
}

}  // namespace
}  // namespace quadpair::mutate
