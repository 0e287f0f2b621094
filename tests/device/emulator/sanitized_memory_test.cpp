// The sanitizer on global memory and registers: for each kind of fault a kernel that shows it, and a near
// miss.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/device/emulator/sanitized.hpp"

namespace quadpair::device {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(SanitizedMemory, APointerThatStraysIntoANeighbour) {
  // The output lies after the input, but no offset of 32 bits leads there, by a generic address neither.
  for (const std::uint64_t bytes : {1024ull, 4096ull, 1ull << 32})
    for (const char* load : {"ld.global.u32", "ld.u32"})
      EXPECT_THAT(
          fault_of(fmt::format("add.u64 %a, %in, {}; {} %x, [%a]; st.global.u32 [%out], %x;", bytes, load),
                   {.block = {1}}),
          AllOf(StartsWith("test/kernel.sm70:k, PTX line 8 '"),
                HasSubstr("block (0,0,0), warp 0, lane 0: read"),
                HasSubstr(
                    fmt::format("outside every buffer: offset {}, {} bytes past the end of buffer 'input'",
                                bytes, bytes - 1024))));
  EXPECT_EQ(fault_of("add.u64 %a, %in, 1020; ld.u32 %x, [%a]; st.global.u32 [%out], %x;", {.block = {1}}),
            "no fault");
}

TEST(SanitizedMemory, Misaligned) {
  EXPECT_THAT(
      fault_of("add.u64 %a, %in, %i; ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%a];", {.block = {4}}),
      AllOf(HasSubstr("lane 1: read of 16 bytes"), HasSubstr("misaligned: offset 4 of buffer 'input'")));
  EXPECT_EQ(
      fault_of("mul.wide.u32 %i, %t, 16; add.u64 %a, %in, %i; ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%a];"),
      "no fault");
}

TEST(SanitizedMemory, WriteToAnInput) {
  EXPECT_THAT(
      fault_of("add.u64 %a, %in, %i; st.global.u32 [%a], %t;"),
      HasSubstr(
          "lane 0: write of 4 bytes at address 0x18000000000: the buffer is an input: offset 0 of buffer "
          "'input' (1024 bytes)"));
}

constexpr const char* read_output =
    "add.u64 %a, %out, %i; ld.global.u32 %x, [%a+128]; st.global.u32 [%a], %x;";

TEST(SanitizedMemory, ReadOfWhatNothingWrote) {
  EXPECT_THAT(
      fault_of(read_output),
      AllOf(HasSubstr("lane 0: read of 4 bytes at address"),
            HasSubstr("which neither this block nor anything before the launch wrote: offset 128 of buffer "
                      "'output'")));
  EXPECT_THAT(
      fault_of(
          "add.u64 %a, %out, %i; st.global.u32 [%a], %t; sub.u64 %a, %a, 1; mov.u64 %b, -4; and.b64 %a, %a, "
          "%b; add.u64 %a, %a, 8; ld.global.u32 %x, [%a];"),
      HasSubstr("lane 31: read of 4 bytes"))
      << "one lane reads beyond what all wrote";
}

TEST(SanitizedMemory, ReadsOfPaddingThatIsWrittenAreNone) {
  EXPECT_EQ(fault_of("add.u64 %a, %out, %i; st.global.u32 [%a+128], %t; ld.global.u32 %x, [%a+128];"),
            "no fault");
  SanitizedKernel kernel(read_output);
  const std::vector<std::uint32_t> padding(32, 9);
  kernel.output_buffer().upload(std::as_bytes(std::span(padding)), 128);
  EXPECT_EQ(kernel.fault(), "no fault");
  kernel.output_buffer().fill(0xA5);
  EXPECT_THAT(kernel.fault(), HasSubstr("offset 128")) << "poison is no value";
}

TEST(SanitizedMemory, WhatALaunchWroteTheNextMayRead) {
  SanitizedKernel kernel(
      "add.u64 %a, %out, %i; setp.eq.u32 %p, %c, 1; @%p bra SECOND; st.global.u32 [%a], %t; ret;\n"
      "SECOND: ld.global.u32 %x, [%a];",
      {.grid = {2}});
  EXPECT_THAT(kernel.fault(),
              AllOf(HasSubstr("PTX line 9"), HasSubstr("block (1,0,0)"), HasSubstr("neither this block")))
      << "another block's store comes in no order with the read";
  EXPECT_EQ(kernel.fault(), "no fault");
}

TEST(SanitizedMemory, StoresOfTwoBlocksToOnePlace) {
  // Equal values too.
  EXPECT_THAT(fault_of("add.u64 %a, %out, %i; st.global.u32 [%a], %t;", {.grid = {3}}),
              AllOf(HasSubstr("block (1,0,0), warp 0, lane 0: write at address 0x"),
                    HasSubstr("where block (0,0,0) writes too, in no order: offset 0 of buffer 'output'")));
  EXPECT_THAT(
      fault_of("mul.wide.u32 %a, %c, 124; add.u64 %a, %a, %out; add.u64 %a, %a, %i; st.global.u32 [%a], %t;",
               {.grid = {2}}),
      AllOf(HasSubstr("block (1,0,0), warp 0, lane 0"), HasSubstr("offset 124")));
}

TEST(SanitizedMemory, StoresOfTwoBlocksToOneWordsHalvesAreNone) {
  EXPECT_EQ(
      fault_of("mul.wide.u32 %a, %t, 4; mul.wide.u32 %b, %c, 2; add.u64 %a, %a, %b; add.u64 %a, %a, %out;\n"
               "cvt.u16.u32 %h, %t; st.global.u16 [%a], %h; st.global.u16 [%a], %h;",
               {.grid = {2}}),
      "no fault");
}

TEST(SanitizedMemory, ReadOfARegisterThatNothingWrote) {
  EXPECT_THAT(fault_of("add.u32 %x, %y, 1; st.global.u32 [%out], %x;", {.block = {1}}),
              AllOf(HasSubstr("PTX line 8 'add.u32 %x, %y, 1'"),
                    HasSubstr("lane 0: read of register %y that nothing wrote")));
  EXPECT_THAT(fault_of("setp.lt.u32 %p, %t, 7; @%p mov.u32 %x, 1;\nadd.u32 %x, %x, 1;"),
              AllOf(HasSubstr("PTX line 9"), HasSubstr("lane 7: read of register %x")))
      << "only lanes below 7 wrote it";
  EXPECT_THAT(fault_of("@%q bra OVER;\nOVER:"), HasSubstr("read of register %q"));
}

TEST(SanitizedMemory, RegistersWrittenOnEachLanesWayAreNone) {
  EXPECT_EQ(fault_of("setp.lt.u32 %p, %t, 7; @%p mov.u32 %x, 1; @!%p mov.u32 %x, 2; add.u32 %x, %x, 1;"),
            "no fault");
  EXPECT_EQ(fault_of("setp.lt.u32 %p, %t, 7; @%p mov.u32 %x, 1; @%p add.u32 %x, %x, 1;"), "no fault");
  EXPECT_EQ(
      fault_of("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7}, "
               "{%x, %y}, {%x, %y}, {%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7};"),
      "no fault")
      << "a fragment may have rows that do not exist";
}

TEST(SanitizedMemory, GoesOnAfterAFault) {
  SanitizedKernel kernel(
      "add.u64 %a, %in, %i;\nld.global.u32 %x, [%a+960];\nadd.u64 %a, %out, %i; add.u32 %x, %x, %t; "
      "st.global.u32 "
      "[%a], %x;\nld.global.u32 %y, [%a+4096];");
  EXPECT_THAT(kernel.fault(),
              AllOf(StartsWith("48 faults at 2 instructions\n"), HasSubstr("PTX line 9"),
                    HasSubstr("(16 times)"), HasSubstr("PTX line 11"), HasSubstr("(32 times)")));
  for (std::uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(kernel.output()[t], t < 16 ? t + 1 : t) << "lanes at fault read 0";
}

TEST(SanitizedMemory, SaysTheSameForAnyNumberOfThreads) {
  std::vector<std::string> found;
  for (const unsigned threads : {1u, 2u, 4u})
    found.push_back(
        fault_of("setp.lt.u32 %p, %c, 5; @%p ret; add.u64 %a, %out, %i; st.global.u32 [%a], %t;\n"
                 "ld.global.u32 %x, [%a+128]; ld.global.u32 %x, [%in+-4];",
                 {.grid = {50}, .threads = threads}));
  EXPECT_THAT(found[0], AllOf(HasSubstr("block (5,0,0)"), HasSubstr("(1440 times)")));
  EXPECT_EQ(found[1], found[0]);
  EXPECT_EQ(found[2], found[0]);
}

TEST(SanitizedMemory, NamesTheSourceLine) {
  KernelRunner runner(
      ".version 8.7\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 in)\n{ .reg .b64 %a; "
      ".reg .b32 %x;\n"
      "ld.param.u64 %a, [in];\n.loc 2 61 7\nld.global.u32 %x, [%a+4]; ret; }\n.file 1 "
      "\"/quadpair/kernels/a.cu\"\n"
      ".file 2 \"/quadpair/kernels/common/b.cuh\"\n",
      Target::sm70, {.threads = 1, .sanitize = true});
  const auto in = runner.input(std::vector<std::uint32_t>(1));
  try {
    runner.run({1}, {1}, Arguments().add(in->address()));
    FAIL() << "no fault";
  } catch (const Fault& fault) {
    EXPECT_THAT(fault.what(),
                StartsWith("test/kernel.sm70:k, kernels/common/b.cuh:61, PTX line 8 'ld.global.u32"));
  }
}

}  // namespace
}  // namespace quadpair::device
