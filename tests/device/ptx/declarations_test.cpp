// Module directives, entries, parameters, registers, shared variables, scopes.
#include <gmock/gmock.h>

#include "tests/device/ptx/text.hpp"

namespace quadpair::ptx {
namespace {

using testing::ElementsAre;

TEST(Module, VersionTargetAndEntries) {
  const Program program = parse(header +
                                    ".visible .entry first() { ret; }\n.weak .entry second { ret; }\n"
                                    ".entry third() { }",
                                "m");
  EXPECT_EQ(program.version, "8.7");
  EXPECT_EQ(program.target, "sm_80");
  ASSERT_EQ(program.entries.size(), 3u);
  EXPECT_EQ(program.entries[0].name, "first");
  EXPECT_EQ(program.entries[1].name, "second");
  EXPECT_EQ(program.entries[1].instructions.size(), 1u);
  EXPECT_TRUE(program.entries[2].instructions.empty());
}

TEST(Module, TargetOptionsAreAccepted) {
  EXPECT_EQ(parse(".version 7.0 .target sm_70, debug, texmode_independent", "m").target, "sm_70");
}

TEST(Module, CommentsAndTrailingNulAreNoPartOfIt) {
  const std::string text = "/* .version 1.0\n */" + header +
                           "// .entry none\n.entry k() { /* ; } */ ret; } // }" + std::string(2, '\0');
  const Program program = parse(text, "m");
  ASSERT_EQ(program.entries.size(), 1u);
  EXPECT_EQ(program.entries[0].instructions.size(), 1u);
  EXPECT_EQ(program.entries[0].instructions[0].ptx_line, 6u);
}

TEST(Module, FilesAreKept) {
  const Program program = parse(header + ".file 1 \"/a/b.cu\"\n.file 7 \"c d.h\", 1700000000, 4096\n", "m");
  ASSERT_EQ(program.files.size(), 2u);
  EXPECT_EQ(program.files[0].id, 1u);
  EXPECT_EQ(program.files[0].path, "/a/b.cu");
  EXPECT_EQ(program.files[1].id, 7u);
  EXPECT_EQ(program.files[1].path, "c d.h");
}

TEST(Module, DebugSectionsAreSkipped) {
  const Program program =
      parse(header +
                ".section .debug_str\n{\n$L__info_string0:\n.b8 95,90,0\n\n}\n"
                ".section .debug_info { .b32 134 .b64 $L__func_begin0\n.b32 .debug_abbrev }\n"
                "@@DWARF .byte 0x00, 0x01\n.entry k() { ret; }",
            "m");
  EXPECT_EQ(program.entries.size(), 1u);
}

TEST(Module, DeclarationsOfFunctionsAreSkipped) {
  EXPECT_EQ(
      parse(header + ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.entry k() { }",
            "m")
          .entries.size(),
      1u);
}

// NVRTC keeps constants that code no longer names.
TEST(Module, GlobalAndConstantVariablesThatNothingNamesAreAccepted) {
  const Program program =
      parse(header +
                ".global .align 4 .u32 partial_elements = 256;\n.global .align 1 .u8 prefetch;\n"
                ".const .align 4 .b8 table[8] = {0, 0, 128, 63, 0, 0, 0, 64};\n.entry k() { ret; }",
            "m");
  EXPECT_EQ(program.entries.size(), 1u);
}

// Offsets follow the C rule that CUDA uses: each at the next multiple of its alignment.
TEST(Parameters, OffsetsSizesAlignments) {
  const Program program = parse(header +
                                    ".entry k(.param .u8 a, .param .u64 .ptr .global .align 16 b,\n"
                                    ".param .align 4 .b8 c[6], .param .u16 d, .param .align 16 .b8 e[32],\n"
                                    ".param .f32 f, .param .u64 .ptr g) { }",
                                "m");
  const std::vector<Parameter>& p = program.entries[0].parameters;
  std::vector<std::vector<std::uint32_t>> places;
  places.reserve(p.size());
  for (const Parameter& one : p) places.push_back({one.offset, one.size, one.align});
  EXPECT_THAT(places, ElementsAre(ElementsAre(0, 1, 1), ElementsAre(8, 8, 8), ElementsAre(16, 6, 4),
                                  ElementsAre(22, 2, 2), ElementsAre(32, 32, 16), ElementsAre(64, 4, 4),
                                  ElementsAre(72, 8, 8)));
  EXPECT_EQ(p[4].name, "e");
  EXPECT_EQ(program.entries[0].parameter_bytes, 80u);
}

TEST(Entry, ThreadBoundsAndOtherPerformanceDirectives) {
  const Program program = parse(header +
                                    ".entry a() .maxntid 32, 4, 2 .minnctapersm 2 .maxnreg 128 { }\n"
                                    ".entry b() .reqntid 96 .pragma \"nounroll\"; { }\n.entry c() { }",
                                "m");
  EXPECT_EQ(program.entries[0].max_threads, 256u);
  EXPECT_EQ(program.entries[1].max_threads, 96u);
  EXPECT_EQ(program.entries[2].max_threads, 0u);
}

TEST(Registers, ClassesRangesAndLists) {
  const Program program =
      parse(header +
                ".entry k() { .reg .pred %p<2>; .reg .f16 h; .reg .u16 %rs<1>, w;\n"
                ".reg .f16x2 x; .reg .s32 %r<2>; .reg .f32 f; .reg .b64 %SP; .reg .f64 d; }",
            "m");
  std::vector<std::pair<std::string, RegisterClass>> found;
  for (const Register& one : program.entries[0].registers) found.emplace_back(one.name, one.cls);
  using enum RegisterClass;
  EXPECT_THAT(found, ElementsAre(std::pair{"%p0", predicate}, std::pair{"%p1", predicate},
                                 std::pair{"h", b16}, std::pair{"%rs0", b16}, std::pair{"w", b16},
                                 std::pair{"x", b32}, std::pair{"%r0", b32}, std::pair{"%r1", b32},
                                 std::pair{"f", b32}, std::pair{"%SP", b64}, std::pair{"d", b64}));
}

TEST(Scopes, InnerRegistersHideOuterOnesAndStayUnique) {
  const Entry entry = entry_of(
      "mov.u32 %r0, 1;\n"
      "{ .reg .b32 low, %r0; mov.u32 low, %r0; { .reg .b32 low; mov.u32 low, %r0; } mov.u32 %r1, low; }\n"
      "{ .reg .b16 low; mov.u16 low, 1; }\n"
      "mov.u32 %r1, %r0;");
  const auto& code = entry.instructions;
  const int outer = register_of(entry, "%r0");
  EXPECT_EQ(code[0].defs[0], outer);
  EXPECT_NE(code[1].uses[0], outer);
  EXPECT_EQ(code[2].uses[0], code[1].uses[0]);
  EXPECT_NE(code[2].defs[0], code[1].defs[0]);
  EXPECT_EQ(code[3].uses[0], code[1].defs[0]);
  EXPECT_EQ(entry.registers[static_cast<std::size_t>(code[4].defs[0])].cls, RegisterClass::b16);
  EXPECT_EQ(code[5].uses[0], outer);
  std::vector<std::string> names;
  for (const Register& one : entry.registers) names.push_back(one.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

// Inline assembly that is expanded twice declares the same label twice.
TEST(Scopes, LabelsBelongToTheirScope) {
  const Entry entry = entry_of(
      "{ AGAIN: bra AGAIN; }\n"
      "{ mov.u32 %r0, 0; AGAIN: bra AGAIN; bra OUT; }\n"
      "OUT: ret;");
  EXPECT_EQ(entry.instructions[0].operands[0].value, 0u);
  EXPECT_EQ(entry.instructions[2].operands[0].value, 2u);
  EXPECT_EQ(entry.instructions[3].operands[0].value, 4u);
}

TEST(Labels, ForwardBackwardAndAtTheEnd) {
  const Entry entry = entry_of("$L__BB0_1: @%p0 bra $L__END; bra.uni $L__BB0_1; $L__END:");
  const Operand& forward = entry.instructions[0].operands[0];
  EXPECT_EQ(forward.kind, OperandKind::label);
  EXPECT_EQ(forward.value, 2u);
  EXPECT_EQ(entry.instructions[1].operands[0].value, 0u);
}

TEST(Shared, StaticVariablesAreLaidOutInOrder) {
  const Entry entry = entry_of(
      ".shared .align 2 .b8 a[6]; .shared .b32 b; .shared .align 16 .b8 c[4][8];\n"
      "mov.u64 %rd0, c; ld.shared.u32 %r0, [b]; ld.shared.u8 %r1, [c+5];");
  ASSERT_EQ(entry.shared.size(), 3u);
  EXPECT_EQ(entry.shared[1].offset, 8u);
  EXPECT_EQ(entry.shared[2].offset, 16u);
  EXPECT_EQ(entry.shared[2].size, 32u);
  EXPECT_EQ(entry.shared_bytes, 48u);
  const Operand& symbol = entry.instructions[0].operands[1];
  EXPECT_EQ(symbol.kind, OperandKind::symbol);
  EXPECT_EQ(symbol.name, "c");
  EXPECT_EQ(symbol.value, 16u);
  EXPECT_EQ(entry.instructions[1].operands[1].value, 8u);
  EXPECT_EQ(entry.instructions[2].operands[1].value, 21u);
}

TEST(Shared, DynamicMemoryBeginsAfterStaticAtItsAlignment) {
  const Program program =
      parse(header +
                ".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 unused[64];\n"
                ".entry k() { .reg .b64 %rd<2>; .shared .align 4 .b8 part[20];\n"
                "mov.u64 %rd0, dynamic; mov.u64 %rd1, part; }\n"
                ".entry other() { ret; }",
            "m");
  const Entry& entry = program.entries[0];
  ASSERT_EQ(entry.shared.size(), 2u) << "a variable that the entry does not name takes no room";
  EXPECT_EQ(entry.shared_bytes, 32u);
  EXPECT_EQ(entry.instructions[0].operands[1].value, 32u);
  EXPECT_EQ(entry.instructions[1].operands[1].value, 0u);
  EXPECT_TRUE(program.entries[1].shared.empty());
  EXPECT_EQ(program.entries[1].shared_bytes, 0u);
}

TEST(Shared, ExternDeclarationInABody) {
  const Entry entry = entry_of(".extern .shared .align 8 .b8 dynamic[]; mov.u64 %rd0, dynamic;");
  ASSERT_EQ(entry.shared.size(), 1u);
  EXPECT_EQ(entry.shared[0].size, 0u);
}

}  // namespace
}  // namespace quadpair::ptx
