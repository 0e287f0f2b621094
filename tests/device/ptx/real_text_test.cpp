// What NVRTC 12.8 wrote, whole and damaged.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "harness/device/emulator/ptx/analysis.hpp"
#include "tests/device/ptx/text.hpp"

namespace quadpair::ptx {
namespace {

const std::string sample = "loops_and_matrix_sm80.ptx";

/// Of the first instruction with that mnemonic; 0 where there is none.
std::uint32_t source_line_of(const Entry& entry, const std::string& mnemonic) {
  for (const Instruction& one : entry.instructions)
    if (one.mnemonic == mnemonic) return one.source_line;
  return 0;
}

TEST(RealText, LineInfo) {
  const Program program = parse(data_file(sample), sample);
  EXPECT_EQ(program.version, "8.7");
  EXPECT_EQ(program.target, "sm_80");
  ASSERT_EQ(program.files.size(), 2u);
  ASSERT_EQ(program.entries.size(), 2u);

  const Entry& loops = program.entries[0];
  EXPECT_EQ(loops.name, "loops");
  EXPECT_EQ(loops.max_threads, 256u);
  ASSERT_EQ(loops.parameters.size(), 2u);
  EXPECT_EQ(loops.parameters[1].offset, 32u);
  EXPECT_EQ(loops.shared_bytes, 256u);
  EXPECT_EQ(loops.shared.size(), 2u);

  const Entry& matrix = program.entries[1];
  EXPECT_EQ(source_line_of(matrix, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), 39u);
  EXPECT_EQ(source_line_of(matrix, "cp.async.commit_group"), 32u);
  EXPECT_EQ(matrix.instructions.back().text, "ret");
}

TEST(RealText, DebugSections) {
  const Program program = parse(data_file("debug_sm70.ptx"), "debug");
  EXPECT_EQ(program.target, "sm_70");
  ASSERT_EQ(program.entries.size(), 1u);
  EXPECT_EQ(program.entries[0].instructions.size(), 7u + 1u);
}

/// Parses and analyses; only a ParseError may come of it.
void survive(const std::string& text, int& accepted) {
  try {
    for (const Entry& entry : parse(text, "damaged").entries) allocate_slots(entry, control_flow(entry));
    ++accepted;
  } catch (const ParseError& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with("damaged:")) << error.what();
  }
}

TEST(DamagedText, EveryTruncationIsParsedOrRefused) {
  const std::string text = data_file(sample);
  int accepted = 0;
  for (std::size_t length = 0; length < text.size(); length += 3) survive(text.substr(0, length), accepted);
  EXPECT_GT(accepted, 0);
}

/// One to four edits: a byte replaced, a piece removed, moved, or put in twice.
std::string mutate(std::string text, std::mt19937& random) {
  for (unsigned edits = 1 + random() % 4; edits > 0; --edits) {
    const std::size_t at = random() % text.size(), length = 1 + random() % 40;
    const std::string piece = text.substr(at, length);
    switch (random() % 4) {
      case 0: text[at] = static_cast<char>(random() % 8 == 0 ? random() : 32 + random() % 95); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(random() % text.size(), piece); break;
      default: text.replace(random() % text.size(), length, piece); break;
    }
  }
  return text;
}

TEST(DamagedText, RandomMutationsAreParsedOrRefused) {
  const std::string text = data_file(sample);
  std::mt19937 random(2026);
  int accepted = 0;
  for (int round = 0; round < 4000; ++round) survive(mutate(text, random), accepted);
  EXPECT_GT(accepted, 100);
  EXPECT_LT(accepted, 3900);
}

/// Seconds for a module with `count` loops around real instructions, parsed and analysed.
double seconds_for(int count) {
  std::string body;
  for (int i = 0; i < count; ++i) {
    body += fmt::format(
        "L{0}: {{ .reg .b32 t; add.s32 t, %r0, %r1; ld.global.u32 %r2, [%rd0+4];\n"
        "mul.lo.s32 %r0, t, %r2; setp.lt.s32 %p0, %r0, 7; }}\n@%p0 bra L{0};\n",
        i);
  }
  const std::string text = module_of(body);
  const auto start = std::chrono::steady_clock::now();
  const Entry entry = parse(text, "m").entries[0];
  allocate_slots(entry, control_flow(entry));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// 8192 loops are 40,960 instructions in 1.1 MB: a quadratic step would take many seconds.
TEST(Speed, LargeEntriesTakeMilliseconds) {
  EXPECT_LT(seconds_for(8192), 3.0);
}

}  // namespace
}  // namespace quadpair::ptx
