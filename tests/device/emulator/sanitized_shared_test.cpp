// The sanitizer on shared memory: races, what is not written, cp.async; each with a near miss.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/device/emulator/sanitized.hpp"

namespace quadpair::device {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const Shape two_warps = {.block = {64}};

TEST(SanitizedShared, ReadOfWhatNothingWrote) {
  EXPECT_THAT(fault_of("st.shared.u32 [%s], %t;\nld.shared.u32 %x, [%s+4];", {.block = {1}}),
              AllOf(HasSubstr("PTX line 9"),
                    HasSubstr("lane 0: read of 4 bytes at shared address 0x4: nothing in this "
                              "block wrote there")));
  EXPECT_EQ(fault_of("st.shared.u32 [%s], %t; ld.shared.u32 %x, [%s];", {.block = {1}}), "no fault");
}

TEST(SanitizedShared, WhatAnotherBlockLeftIsNotWritten) {
  EXPECT_THAT(
      fault_of(
          "setp.eq.u32 %p, %c, 1; @%p bra SECOND; st.shared.u32 [%s], %t; ret;\nSECOND: ld.shared.u32 %x, "
          "[%s];",
          {.grid = {2}}),
      AllOf(HasSubstr("block (1,0,0)"), HasSubstr("nothing in this block wrote there")));
}

/// Warp 0 writes a word a lane, warp 1 does `second` with the same words.
std::string first_and(const std::string& between, const std::string& second) {
  return "shl.b32 %s, %l, 2; setp.eq.u32 %p, %w, 0; setp.eq.u32 %q, %w, 1;\n@%p st.shared.u32 [%s], %l;\n" +
         between + "\n@%q " + second + ";";
}

TEST(SanitizedShared, RaceOfAWriteAndARead) {
  EXPECT_THAT(
      fault_of(first_and("", "ld.shared.u32 %x, [%s]"), two_warps),
      AllOf(HasSubstr("PTX line 11 '@%q ld.shared.u32 %x, [%s]'"),
            HasSubstr(
                "warp 1, lane 0: read of 4 bytes at shared address 0x0: race: warp 0, lane 0 wrote there, "
                "with no barrier between")));
  EXPECT_EQ(fault_of(first_and("bar.sync 0;", "ld.shared.u32 %x, [%s]"), two_warps), "no fault");
}

TEST(SanitizedShared, RaceByAGenericAddress) {
  const auto body = [](const std::string& between) {
    return "mov.u64 %b, words; cvta.shared.u64 %b, %b; mul.wide.u32 %a, %l, 4; add.u64 %b, %b, %a;\n" +
           first_and(between, "ld.u32 %x, [%b]");
  };
  EXPECT_THAT(fault_of(body(""), two_warps), HasSubstr("race: warp 0, lane 0 wrote there"));
  EXPECT_EQ(fault_of(body("bar.sync 0;"), two_warps), "no fault");
}

TEST(SanitizedShared, RaceOfTwoWrites) {
  EXPECT_THAT(fault_of(first_and("", "st.shared.u32 [%s], %l"), two_warps),
              HasSubstr("write of 4 bytes at shared address 0x0: race: warp 0, lane 0 wrote there"))
      << "of equal values too";
  EXPECT_EQ(fault_of(first_and("bar.sync 0;", "st.shared.u32 [%s], %t"), two_warps), "no fault");
}

TEST(SanitizedShared, RaceOfAReadAndAWrite) {
  const auto body = [](const std::string& between) {
    return first_and("bar.sync 0;\nld.shared.u32 %x, [%s];\n" + between, "st.shared.u32 [%s], %t");
  };
  EXPECT_THAT(fault_of(body(""), two_warps),
              AllOf(HasSubstr("PTX line 13"), HasSubstr("race: warp 0, lane 0 read there")));
  EXPECT_EQ(fault_of(body("bar.sync 0;"), two_warps), "no fault");
}

TEST(SanitizedShared, WarpsInHalvesOfOneWordAreNone) {
  EXPECT_EQ(fault_of("shl.b32 %s, %l, 2; shl.b32 %w, %w, 1; add.u32 %s, %s, %w; cvt.u16.u32 %h, %t;\n"
                     "st.shared.u16 [%s], %h; ld.shared.u16 %h, [%s];",
                     two_warps),
            "no fault");
}

TEST(SanitizedShared, RaceWithinAWarp) {
  EXPECT_THAT(fault_of("st.shared.u32 [%s], %t;\nxor.b32 %s, %s, 4; ld.shared.u32 %x, [%s];"),
              HasSubstr("lane 0: read of 4 bytes at shared address 0x4: race: warp 0, lane 1 wrote there"));
  EXPECT_EQ(fault_of("st.shared.u32 [%s], %t; bar.warp.sync -1; xor.b32 %s, %s, 4; ld.shared.u32 %x, [%s];"),
            "no fault");
  EXPECT_THAT(
      fault_of("st.shared.u32 [%s], %t; bar.warp.sync -1; xor.b32 %n, %s, 4; ld.shared.u32 %x, [%n];\n"
               "st.shared.u32 [%s], %x;"),
      AllOf(HasSubstr("PTX line 9"), HasSubstr("lane 0: write"),
            HasSubstr("race: warp 0, lane 1 read there")));
  EXPECT_THAT(fault_of("mov.u32 %n, 3; mov.u32 %s, 0; st.shared.u32 [%s], %n;"),
              HasSubstr("lane 1: write of 4 bytes at shared address 0x0: race: warp 0, lane 0 wrote there"));
}

TEST(SanitizedShared, ABarrierOfSomeWarpsOrdersThese) {
  // Warps 0 and 1 meet at barrier 1, which warp 2 does not take part in.
  const auto body = [](int reader) {
    return fmt::format(
        "shl.b32 %s, %l, 2; setp.eq.u32 %p, %w, 0; @%p st.shared.u32 [%s], %l;\nsetp.lt.u32 %q, %w, 2; @!%q "
        "bra OVER; "
        "bar.sync 1, 64;\nOVER: setp.eq.u32 %p, %w, {}; @%p ld.shared.u32 %x, [%s];",
        reader);
  };
  EXPECT_EQ(fault_of(body(1), {.block = {96}}), "no fault");
  EXPECT_THAT(fault_of(body(2), {.block = {96}}), HasSubstr("warp 2, lane 0: read"));
}

TEST(SanitizedShared, OrderIsPassedOn) {
  // 0 before 1 by barrier 1, 1 before 2 by barrier 2: so 2 may read what 0 wrote.
  const std::string body =
      "shl.b32 %s, %l, 2; setp.eq.u32 %p, %w, 0; @%p st.shared.u32 [%s], %l;\nsetp.eq.u32 %q, %w, 2; @%q bra "
      "SECOND; "
      "bar.sync 1, 64;\nsetp.eq.u32 %q, %w, 0; @%q ret;\nSECOND: bar.sync 2, 64; setp.eq.u32 %p, %w, 2; @%p "
      "ld.shared.u32 %x, [%s];";
  EXPECT_EQ(fault_of(body, {.block = {96}}), "no fault");
}

/// A kernel for sm_80 in which each thread copies 16 bytes and does `after`.
std::string copying(const std::string& before, const std::string& after) {
  return ".version 8.7\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in)\n{ .reg .b64 %in, "
         "%i; .reg "
         ".b32 %t, %s, %o, %x; .reg .pred %p; .shared .align 16 .b8 words[1024];\nld.param.u64 %in, [in]; "
         "mov.u32 %t, "
         "%tid.x; mul.wide.u32 %i, %t, 16; add.u64 %in, %in, %i; shl.b32 %s, %t, 4; xor.b32 %o, %s, 512;\n" +
         before + "\ncp.async.cg.shared.global [%s], [%in], 16; cp.async.commit_group;\n" + after +
         "\nret; }\n";
}

std::string copy_fault(const std::string& before, const std::string& after, std::uint32_t input_words = 256) {
  KernelRunner runner(copying(before, after), Target::sm80,
                      {.model = reference::Model::ampere, .threads = 1, .sanitize = true});
  const auto in = runner.input(std::vector<std::uint32_t>(input_words, 1));
  try {
    runner.run({1}, {64}, Arguments().add(in->address()));
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "no fault";
}

TEST(SanitizedCopies, ReadBeforeTheWait) {
  EXPECT_THAT(
      copy_fault("", "ld.shared.u32 %x, [%s]; cp.async.wait_group 0;"),
      AllOf(HasSubstr("PTX line 9"), HasSubstr("a cp.async of warp 0, lane 0 is still to write there")));
  EXPECT_THAT(copy_fault("", "cp.async.wait_group 1; ld.shared.u32 %x, [%s];"),
              HasSubstr("is still to write there"));
  EXPECT_EQ(copy_fault("", "cp.async.wait_group 0; ld.shared.u32 %x, [%s];"), "no fault");
}

TEST(SanitizedCopies, ReadOfAnotherWarpsCopy) {
  EXPECT_THAT(copy_fault("", "cp.async.wait_all; ld.shared.u32 %x, [%o];"),
              HasSubstr("wrote there, with no barrier"));
  EXPECT_THAT(
      copy_fault("", "bar.sync 0; cp.async.wait_all; ld.shared.u32 %x, [%o];"),
      HasSubstr("warp 0, lane 0: read of 4 bytes at shared address 0x200: a cp.async of warp 1, lane 0"))
      << "each waits, but after the barrier";
  EXPECT_EQ(copy_fault("", "cp.async.wait_all; bar.sync 0; ld.shared.u32 %x, [%o];"), "no fault");
}

TEST(SanitizedCopies, IssuedTooEarly) {
  const std::string old = "st.shared.u32 [%s], %t; bar.sync 0; ld.shared.u32 %x, [%o];";
  EXPECT_THAT(copy_fault(old, "cp.async.wait_all;"),
              AllOf(HasSubstr("cp.async.cg"), HasSubstr("write of 16 bytes"), HasSubstr("race: warp")));
  EXPECT_EQ(copy_fault(old + " bar.sync 0;", "cp.async.wait_all;"), "no fault");
}

TEST(SanitizedCopies, SourceOutsideItsBuffer) {
  EXPECT_THAT(copy_fault("", "cp.async.wait_all;", 252),
              AllOf(HasSubstr("lane 31: read of 16 bytes"), HasSubstr("past the end of buffer 'input'")));
}

}  // namespace
}  // namespace quadpair::device
