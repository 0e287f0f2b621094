// Operands, guards, source lines, registers written and read.
#include <gmock/gmock.h>

#include "tests/device/ptx/text.hpp"

namespace quadpair::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::uint64_t immediate(const std::string& literal) {
  const Operand operand = instruction_of("mov.b64 %rd0, " + literal + ";").operands.at(1);
  EXPECT_EQ(operand.kind, OperandKind::immediate);
  return operand.value;
}

TEST(Immediates, AreBitPatterns) {
  EXPECT_EQ(immediate("0"), 0u);
  EXPECT_EQ(immediate("4294967296"), 1ull << 32);
  EXPECT_EQ(immediate("18446744073709551615U"), ~0ull);
  EXPECT_EQ(immediate("-1"), ~0ull);
  EXPECT_EQ(immediate("-2147483648"), 0xFFFF'FFFF'8000'0000u);
  EXPECT_EQ(immediate("0xdeadBEEF"), 0xDEADBEEFu);
  EXPECT_EQ(immediate("0X1FU"), 0x1Fu);
  EXPECT_EQ(immediate("-0x10"), ~0ull - 15);
  EXPECT_EQ(immediate("0b101"), 5u);
  EXPECT_EQ(immediate("017"), 15u);
  EXPECT_EQ(immediate("0f3F800000"), 0x3F800000u);
  EXPECT_EQ(immediate("0FFF7FFFFF"), 0xFF7FFFFFu);
  EXPECT_EQ(immediate("0d3FF0000000000000"), 0x3FF0000000000000u);
}

TEST(Addresses, RegisterSymbolAndPlain) {
  const Entry entry = entry_of(
      "ld.global.u32 %r0, [%rd1]; ld.global.u32 %r0, [%rd1+16]; ld.global.u32 %r0, [%rd1+-4];\n"
      "ld.global.u32 %r0, [%rd1-8]; ld.param.u32 %r0, [k_param_1]; ld.param.u32 %r0, [k_param_1+2];\n"
      "ld.shared.u32 %r0, [64];");
  std::vector<std::int64_t> values;
  for (const Instruction& one : entry.instructions) {
    EXPECT_EQ(one.operands[1].kind, OperandKind::address);
    values.push_back(static_cast<std::int64_t>(one.operands[1].value));
  }
  EXPECT_THAT(values, ElementsAre(0, 16, -4, -8, 8, 10, 64));
  const int base = register_of(entry, "%rd1");
  EXPECT_EQ(entry.instructions[2].operands[1].reg, base);
  EXPECT_EQ(entry.instructions[4].operands[1].reg, -1);
  EXPECT_EQ(entry.instructions[4].operands[1].name, "k_param_1");
  EXPECT_EQ(entry.instructions[6].operands[1].name, "");
}

TEST(Symbols, AParameterStandsForItsOffset) {
  const Operand operand = instruction_of("mov.b64 %rd0, k_param_1;").operands[1];
  EXPECT_EQ(operand.kind, OperandKind::symbol);
  EXPECT_EQ(operand.value, 8u);
}

TEST(SpecialRegisters, KeepTheirNames) {
  for (const char* name : {"%tid.x", "%ntid.y", "%ctaid.z", "%nctaid.x", "%laneid", "%warpid", "%lanemask_lt",
                           "%clock64", "%dynamic_smem_size"}) {
    const Instruction instruction = instruction_of("mov.u32 %r0, " + std::string(name) + ";");
    EXPECT_EQ(instruction.operands[1].kind, OperandKind::special);
    EXPECT_EQ(instruction.operands[1].name, name);
    EXPECT_THAT(instruction.uses, IsEmpty());
  }
}

TEST(Guards, PlainAndNegated) {
  const Entry entry = entry_of("@%p1 mov.u32 %r0, 1; @!%p2 bra L; L: mov.u32 %r0, %r1;");
  EXPECT_EQ(entry.instructions[0].guard, register_of(entry, "%p1"));
  EXPECT_FALSE(entry.instructions[0].guard_negated);
  EXPECT_EQ(entry.instructions[1].guard, register_of(entry, "%p2"));
  EXPECT_TRUE(entry.instructions[1].guard_negated);
  EXPECT_THAT(entry.instructions[1].uses, ElementsAre(register_of(entry, "%p2")));
  EXPECT_EQ(entry.instructions[2].guard, -1);
}

TEST(Operands, NegatedPredicatesAndTwoDestinations) {
  const Entry entry = entry_of("setp.lt.and.s32 %p0|%p1, %r0, -5, !%p2;");
  const Instruction& setp = entry.instructions[0];
  EXPECT_THAT(setp.defs, ElementsAre(register_of(entry, "%p0"), register_of(entry, "%p1")));
  EXPECT_THAT(setp.uses, ElementsAre(register_of(entry, "%r0"), register_of(entry, "%p2")));
  ASSERT_EQ(setp.operands.size(), 4u);
  EXPECT_EQ(setp.operands[0].kind, OperandKind::vector);
  EXPECT_EQ(setp.operands[0].elements.size(), 2u);
  EXPECT_TRUE(setp.operands[3].negated);
  EXPECT_FALSE(setp.operands[1].negated);
}

TEST(Operands, Vectors) {
  const Entry entry =
      entry_of("ld.global.v2.u32 {%r0, %r1}, [%rd0]; mov.b32 %r2, {%rs0,%rs1}; mov.b32 %r2, {0, %rs1};");
  EXPECT_THAT(entry.instructions[0].defs, ElementsAre(register_of(entry, "%r0"), register_of(entry, "%r1")));
  EXPECT_THAT(entry.instructions[1].uses,
              ElementsAre(register_of(entry, "%rs0"), register_of(entry, "%rs1")));
  EXPECT_EQ(entry.instructions[2].operands[1].elements[0].kind, OperandKind::immediate);
}

/// Mnemonics stay whole, whatever their modifiers: nothing is dropped before the executor judges.
TEST(Mnemonics, AreKeptWhole) {
  for (const char* mnemonic :
       {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", "add.sat.f16", "cvt.rni.sat.u8.f32", "min.f16",
        "min.ftz.NaN.f16x2", "ld.global.nc.L1::no_allocate.L2::128B.v4.u32", "cp.async.cg.shared.global"})
    EXPECT_EQ(instruction_of(std::string(mnemonic) + " %r0, %r1;").mnemonic, mnemonic);
}

TEST(Mnemonics, MmaM8n8k4) {
  const Entry entry = entry_of(
      ".reg .f32 %f<8>; mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7},"
      " {%r0,%r1}, {%r2,%r3}, {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};");
  const Instruction& mma = entry.instructions[0];
  ASSERT_EQ(mma.operands.size(), 4u);
  EXPECT_EQ(mma.operands[0].elements.size(), 8u);
  EXPECT_EQ(mma.defs.size(), 8u);
  EXPECT_EQ(mma.uses.size(), 12u);
}

TEST(Dataflow, InstructionsWithoutADestination) {
  for (const char* text :
       {"st.global.v2.u32 [%rd0], {%r0, %r1};", "bar.sync 0;", "bar.warp.sync %r0;", "membar.gl;",
        "fence.acq_rel.gpu;", "red.global.add.u32 [%rd0], %r0;",
        "cp.async.cg.shared.global [%r0], [%rd0], 16;", "cp.async.commit_group;", "ret;", "exit;", "trap;",
        "L: bra L;", "prefetch.global.L2 [%rd0];", "barrier.sync.aligned %r0;",
        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r0], {%r1};"})
    EXPECT_THAT(instruction_of(text).defs, IsEmpty()) << text;
  EXPECT_EQ(instruction_of("st.global.v2.u32 [%rd0], {%r0, %r1};").uses.size(), 3u);
}

TEST(Dataflow, InstructionsWithADestination) {
  for (const char* text :
       {"ld.global.u32 %r0, [%rd0];", "atom.global.add.u32 %r0, [%rd0], %r1;",
        "shfl.sync.bfly.b32 %r0, %r1, 1, 31, -1;", "bar.red.popc.u32 %r0, 0, %p1;", "add.s32 %r0, %r0, %r0;",
        "selp.b32 %r0, %r1, %r2, %p0;", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r1];"}) {
    const Instruction instruction = instruction_of(text);
    EXPECT_EQ(instruction.defs.size(), 1u) << text;
    EXPECT_FALSE(instruction.uses.empty()) << text;
  }
  EXPECT_EQ(instruction_of("add.s32 %r0, %r0, %r0;").uses.size(), 1u) << "each register once";
}

TEST(Lines, PtxLineSourceLineAndText) {
  const Entry entry = entry_of(
      "mov.u32 %r0, 0;\n"
      ".loc\t1 9 0\n"
      "add.s32 \t%r1,\n  %r0, 1; // not this\n"
      ".loc 2 34 7, function_name $L__info_string0, inlined_at 1 13 2\n"
      "@!%p0   sub.s32 %r1, %r0,1;\n"
      ".loc 2 36 7, function_name $L__info_string0+12, inlined_at 1 13 2\n"
      "ret;");
  const auto& code = entry.instructions;
  EXPECT_EQ(code[0].ptx_line, 6u);
  EXPECT_EQ(code[0].source_file, 0u);
  EXPECT_EQ(code[0].source_line, 0u);
  EXPECT_EQ(code[1].ptx_line, 8u);
  EXPECT_EQ(code[1].source_file, 1u);
  EXPECT_EQ(code[1].source_line, 9u);
  EXPECT_EQ(code[1].text, "add.s32 %r1, %r0, 1");
  EXPECT_EQ(code[2].source_file, 2u);
  EXPECT_EQ(code[2].source_line, 34u);
  EXPECT_EQ(code[2].text, "@!%p0 sub.s32 %r1, %r0,1");
  EXPECT_EQ(code[3].source_line, 36u);
}

TEST(Pragmas, AreAcceptedInABody) {
  EXPECT_EQ(entry_of("$L__BB0_3:\n.pragma \"nounroll\";\nret;").instructions.size(), 1u);
}

}  // namespace
}  // namespace quadpair::ptx
