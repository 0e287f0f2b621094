// One instruction read alone against the whole text parsed with it.
#include "harness/device/emulator/ptx/replacement.hpp"

#include <gmock/gmock.h>

#include "tests/device/ptx/text.hpp"

namespace quadpair::ptx {
namespace {

using testing::ElementsAre;

void expect_same(const Operand& a, const Operand& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.reg, b.reg);
  EXPECT_EQ(a.negated, b.negated);
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.name, b.name);
  ASSERT_EQ(a.elements.size(), b.elements.size());
  for (std::size_t i = 0; i < a.elements.size(); ++i) expect_same(a.elements[i], b.elements[i]);
}

const std::string body =
    ".shared .align 8 .b8 first[8];\n.shared .align 8 .b8 second[64];\n"
    "ld.param.u64 %rd0, [k_param_0];\nmov.u32 %r0, second;\nadd.s32 %r1, %r0, 4;\n$here:\n"
    "{ .reg .pred p; setp.ne.u32 p, %r1, 0;\n@p ld.shared.v2.u32 {%r2, %r3}, [second+8]; }\n"
    "setp.lt.u32 %p1, %r1, %r2;\n@%p1 bra $here;\nst.global.u32 [%rd0+4], %r3;\nret;";

TEST(Replacements, AreReadAsTheWholeTextIs) {
  const std::pair<std::string, std::string> changes[] = {
      {"add.s32 %r1, %r0, 4", "sub.s32 %r1, %r3, -4"},
      {"setp.ne.u32 p, %r1, 0", "setp.eq.u32 p, 0, %r1"},
      {"@p ld.shared.v2.u32 {%r2, %r3}, [second+8]", "@!p ld.shared.v2.u32 {%r3, %r2}, [second+12]"},
      {"@%p1 bra $here", "@!%p1 bra $here"},
      {"@%p1 bra $here", "bra $here"},
      {"ld.param.u64 %rd0, [k_param_0]", "ld.param.u64 %rd0, [k_param_0+8]"},
      {"mov.u32 %r0, second", "mov.u32 %r0, %tid.x"},
      {"st.global.u32 [%rd0+4], %r3", "@%p2 st.global.u32 [%rd3], 0f3F800000"}};
  const Entry entry = entry_of(body);
  const Replacements replacements(entry);
  for (const auto& [before, after] : changes) {
    std::string text = body;
    text.replace(text.find(before), before.size(), after);
    const Entry whole = entry_of(text);
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
      if (entry.instructions[i].text != before) continue;
      const Instruction found = replacements.read(after, entry.instructions[i]);
      const Instruction& expected = whole.instructions[i];
      EXPECT_EQ(found.text, after);
      EXPECT_EQ(found.mnemonic, expected.mnemonic);
      EXPECT_EQ(found.guard, expected.guard);
      EXPECT_EQ(found.guard_negated, expected.guard_negated);
      EXPECT_EQ(found.defs, expected.defs);
      EXPECT_EQ(found.uses, expected.uses);
      EXPECT_EQ(found.ptx_line, expected.ptx_line);
      ASSERT_EQ(found.operands.size(), expected.operands.size());
      for (std::size_t o = 0; o < found.operands.size(); ++o)
        expect_same(found.operands[o], expected.operands[o]);
    }
  }
}

TEST(Replacements, OfOtherTextAreRefused) {
  const Entry entry = entry_of(body);
  const Replacements replacements(entry);
  EXPECT_THROW(replacements.read("add.s32 %r1, %r9, 4", entry.instructions[2]), ParseError);
  EXPECT_THROW(replacements.read("bra $there", entry.instructions[2]), ParseError);
  EXPECT_THROW(replacements.read("ret; ret", entry.instructions[2]), ParseError);
}

TEST(RemovedInstructions, TakeLabelsWithThem) {
  Entry entry = entry_of("mov.u32 %r0, 1;\n$back:\nmov.u32 %r1, 2;\n@%p1 bra $on;\nbra $back;\n$on:\nret;");
  remove_instruction(entry, 0);
  std::vector<std::string> texts;
  for (const Instruction& i : entry.instructions) texts.push_back(i.text);
  EXPECT_THAT(texts, ElementsAre("mov.u32 %r1, 2", "@%p1 bra $on", "bra $back", "ret"));
  EXPECT_EQ(entry.instructions[1].operands[0].value, 3u);
  EXPECT_EQ(entry.instructions[2].operands[0].value, 0u);
  remove_instruction(entry, 0);
  EXPECT_EQ(entry.instructions[1].operands[0].value, 0u);  // before what stood behind it
}

}  // namespace
}  // namespace quadpair::ptx
