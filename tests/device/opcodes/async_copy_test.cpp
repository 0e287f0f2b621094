// cp.async: what it writes, and when; groups and waits are each lane's own.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint32_t slots = 4;  ///< of 16 bytes a thread, in a window of old data
constexpr std::uint8_t old_byte = 0x11;

/// A kernel for sm_80: `copies` runs with %to at the thread's first slot (its others lie 16 bytes apart),
/// %from at its 64 bytes of `in`, %size its word of `sizes` and %t its number; then the slots go to `out`.
std::string kernel(const std::string& copies) {
  std::string text =
      ".version 8.7\n.target sm_80\n.address_size 64\n.extern .shared .align 16 .b8 window[];\n"
      ".visible .entry k(.param .u64 in, .param .u64 sizes, .param .u64 out)\n"
      "{ .reg .b64 %in, %sizes, %out, %i, %from, %to, %w; .reg .b32 %t, %size, %o, %near, %v<4>; .reg .pred "
      "%p, %q;\n"
      "ld.param.u64 %in, [in]; ld.param.u64 %sizes, [sizes]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;\n"
      "mul.wide.u32 %i, %t, 4; add.u64 %sizes, %sizes, %i; ld.global.u32 %size, [%sizes];\n"
      "mul.wide.u32 %i, %t, 64; add.u64 %from, %in, %i; add.u64 %out, %out, %i;\n"
      "mov.u64 %w, window; add.u64 %to, %w, %i; cvt.u32.u64 %near, %to; mov.u32 %o, 0x11111111;\n";
  for (std::uint32_t s = 0; s < slots; ++s)
    text += fmt::format("st.shared.v4.u32 [%to+{}], {{%o, %o, %o, %o}};\n", 16 * s);
  text += "bar.sync 0;\n" + copies + "\n";
  for (std::uint32_t s = 0; s < slots; ++s)
    text += fmt::format(
        "ld.shared.v4.u32 {{%v0, %v1, %v2, %v3}}, [%to+{0}];\n"
        "st.global.v4.u32 [%out+{0}], {{%v0, %v1, %v2, %v3}};\n",
        16 * s);
  return text + "ret; }\n";
}

using Bytes = std::vector<std::uint8_t>;

Bytes source_bytes(std::uint32_t threads) {
  Bytes bytes(threads * 64);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(128 + i * 7 % 127);
  return bytes;
}

Bytes run(const std::string& copies, std::uint32_t threads = 32, std::vector<std::uint32_t> sizes = {},
          Access source = Access::input) {
  KernelRunner runner(kernel(copies), Target::sm80, reference::Model::ampere);
  sizes.resize(threads);
  const auto in = runner.filled("in", source_bytes(threads), source);
  const auto each = runner.input(sizes);
  const auto out = runner.output<std::uint8_t>(threads * 64);
  runner.run({1}, {threads}, Arguments().add(in->address()).add(each->address()).add(out->address()),
             threads * 64);
  return contents<std::uint8_t>(*out);
}

/// 'n' where a thread's slot holds the source's 16 bytes, 'o' where it holds the old ones.
std::string slots_of(const Bytes& out, std::uint32_t thread) {
  const Bytes source = source_bytes(thread + 1);
  std::string seen;
  for (std::uint32_t s = 0; s < slots; ++s) {
    const std::size_t at = thread * 64 + 16 * s;
    const Bytes old(16, old_byte);
    seen += std::memcmp(&out[at], &source[at], 16) == 0  ? 'n'
            : std::memcmp(&out[at], old.data(), 16) == 0 ? 'o'
                                                         : '?';
  }
  return seen;
}

/// One copy a slot, each followed by `after`.
std::string a_copy_a_slot(const std::string& after) {
  std::string text;
  for (std::uint32_t s = 0; s < slots; ++s)
    text += fmt::format("cp.async.cg.shared.global [%to+{0}], [%from+{0}], 16; {1}\n", 16 * s, after);
  return text;
}

void expect_bytes(std::uint32_t bytes, bool sized, bool guarded, const char* to) {
  std::vector<std::uint32_t> sizes(32);
  for (std::uint32_t lane = 0; lane < 32; ++lane) sizes[lane] = lane * 5 % (bytes + 1);
  const Bytes out =
      run(fmt::format("setp.lt.u32 %p, %size, 3; {} cp.async.ca.shared::cta.global.L2::128B [{}+16], "
                      "[%from+32], {}{}; cp.async.commit_group; cp.async.wait_group 0;",
                      guarded ? "@!%p" : "", to, bytes, sized ? ", %size" : ""),
          32, sizes);
  const Bytes source = source_bytes(32);
  Bytes expected(32 * 64, old_byte);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if (guarded && sizes[lane] < 3) continue;
    for (std::uint32_t i = 0; i < bytes; ++i)
      expected[lane * 64 + 16 + i] = !sized || i < sizes[lane] ? source[lane * 64 + 32 + i] : 0;
  }
  ASSERT_EQ(out, expected) << bytes << " bytes, sized " << sized << ", guarded " << guarded << ", to " << to;
}

TEST(AsyncCopy, WritesItsBytesAndZerosAfterTheSources) {
  for (const std::uint32_t bytes : {4u, 8u, 16u})
    for (const bool sized : {false, true})
      for (const bool guarded : {false, true})
        for (const char* to : {"%to", "%near"})
          for_every_simd_target([&] { expect_bytes(bytes, sized, guarded, to); });
}

TEST(AsyncCopy, AWaitCoversTheOldestGroups) {
  const std::string each_a_group = a_copy_a_slot("cp.async.commit_group;");
  EXPECT_EQ(slots_of(run(each_a_group + "cp.async.wait_group 0;"), 5), "nnnn");
  EXPECT_EQ(slots_of(run(each_a_group + "cp.async.wait_group 1;"), 5), "nnno");
  EXPECT_EQ(slots_of(run(each_a_group + "cp.async.wait_group 3;"), 5), "nooo");
  EXPECT_EQ(slots_of(run(each_a_group + "cp.async.wait_group 4;"), 5), "oooo");
  EXPECT_EQ(slots_of(run(each_a_group + "cp.async.commit_group; cp.async.wait_group 4;"), 5), "nooo");
  EXPECT_EQ(slots_of(run(each_a_group + "cp.async.wait_group 2; cp.async.wait_group 3;"), 5), "nnoo");
}

TEST(AsyncCopy, AnOpenGroupIsCoveredByWaitAllOnly) {
  const std::string open = a_copy_a_slot("");
  EXPECT_EQ(slots_of(run(open + "cp.async.wait_group 0;"), 31), "oooo");
  EXPECT_EQ(slots_of(run(open + "cp.async.commit_group; cp.async.wait_group 0;"), 31), "nnnn");
  EXPECT_EQ(slots_of(run(open + "cp.async.wait_all;"), 31), "nnnn");
}

// Lanes below 16 make two groups of two copies, the others one of four.
TEST(AsyncCopy, GroupsAreEachLanesOwn) {
  std::string text = "setp.lt.u32 %p, %t, 16;\n";
  for (std::uint32_t s = 0; s < slots; ++s)
    text += fmt::format("cp.async.cg.shared.global [%to+{0}], [%from+{0}], 16; {1}\n", 16 * s,
                        s == 1   ? "@%p cp.async.commit_group;"
                        : s == 3 ? "cp.async.commit_group;"
                                 : "");
  for_every_simd_target([&] {
    const Bytes out = run(text + "cp.async.wait_group 1;");
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      ASSERT_EQ(slots_of(out, lane), lane < 16 ? "nnoo" : "oooo") << lane;
    const Bytes waited = run(text + "@%p cp.async.wait_group 0;");
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      ASSERT_EQ(slots_of(waited, lane), lane < 16 ? "nnnn" : "oooo") << lane;
  });
}

// What the source holds when the copy is performed is what counts; here that is after the store.
TEST(AsyncCopy, ReadsItsSourceWhenItIsPerformed) {
  const Bytes out =
      run("cp.async.ca.shared.global [%to], [%from], 4; st.global.u32 [%from], %t; cp.async.wait_all;", 32,
          {}, Access::output);
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane * 64], lane);
}

/// Thread t's slots after thread t ^ 32, of the other warp, has copied them.
std::string exchange(const std::string& wait) {
  return "xor.b32 %v0, %t, 32; mul.wide.u32 %i, %v0, 64; add.u64 %from, %in, %i; add.u64 %to, %w, %i;\n" +
         a_copy_a_slot("") + "cp.async.commit_group;\n" + wait +
         "\nbar.sync 0; mul.wide.u32 %i, %t, 64; add.u64 %to, %w, %i;";
}

TEST(AsyncCopy, AKernelThatForgetsItsWaitFindsTheOldData) {
  const Bytes waited = run(exchange("cp.async.wait_group 0;"), 64);
  const Bytes forgotten = run(exchange(""), 64), too_few = run(exchange("cp.async.wait_group 1;"), 64);
  for (std::uint32_t thread = 0; thread < 64; ++thread) {
    ASSERT_EQ(slots_of(waited, thread), "nnnn") << thread;
    ASSERT_EQ(slots_of(forgotten, thread), "oooo") << thread;
    ASSERT_EQ(slots_of(too_few, thread), "oooo") << thread;
  }
}

// Each block begins with no copies, whatever the one before it left.
TEST(AsyncCopy, CopiesThatNobodyWaitedForEndWithTheirBlock) {
  KernelRunner runner(kernel(a_copy_a_slot("cp.async.commit_group;") + "cp.async.wait_group 1;"),
                      Target::sm80, reference::Model::ampere);
  const auto in = runner.input(source_bytes(32));
  const auto sizes = runner.input(std::vector<std::uint32_t>(32));
  const auto out = runner.output<std::uint8_t>(32 * 64);
  runner.run({5}, {32}, Arguments().add(in->address()).add(sizes->address()).add(out->address()), 32 * 64);
  EXPECT_EQ(slots_of(contents<std::uint8_t>(*out), 9), "nnno");
}

std::string fault_of(const std::string& copies, std::uint32_t bytes_read = 16) {
  try {
    run(copies, 64, std::vector<std::uint32_t>(64, bytes_read));
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "no fault";
}

TEST(AsyncCopyFault, NamesLineWarpLaneAndAddress) {
  EXPECT_THAT(fault_of("\ncp.async.cg.shared.global [%to], [%from+64], 16;"),
              AllOf(HasSubstr("PTX line 17 'cp.async.cg.shared.global [%to], [%from+64], 16'"),
                    HasSubstr("warp 1, lane 31"), HasSubstr("read of 16 bytes"),
                    HasSubstr("outside every buffer: offset 4096, 0 bytes past the end of buffer 'in'")));
  EXPECT_THAT(fault_of("cp.async.cg.shared.global [%to+64], [%from], 16;"),
              AllOf(HasSubstr("warp 1, lane 31"), HasSubstr("write of 16 bytes at shared address 0x1000"),
                    HasSubstr("outside the block's 4096 bytes")));
}

TEST(AsyncCopyFault, OfMisalignment) {
  EXPECT_THAT(fault_of("cp.async.cg.shared.global [%to+8], [%from], 16;"),
              AllOf(HasSubstr("lane 0"), HasSubstr("write"), HasSubstr("misaligned")));
  EXPECT_THAT(fault_of("cp.async.cg.shared.global [%to], [%from+8], 16, %size;", 8),
              AllOf(HasSubstr("lane 0"), HasSubstr("read of 8 bytes"), HasSubstr("misaligned")));
}

TEST(AsyncCopyFault, OfMoreSourceThanCopy) {
  EXPECT_THAT(fault_of("cp.async.ca.shared.global [%to], [%from], 8, %size;", 9),
              HasSubstr("copy of 8 bytes, of which 9 come from the source"));
}

// A part of a copy may lie at the end of a buffer, and nothing anywhere.
TEST(AsyncCopyFault, OnlyWhatIsReadMustExist) {
  const std::string last = "setp.eq.u32 %p, %t, 63; @%p add.u64 %from, %from, 48; @%p add.u64 %from, %from, ";
  const std::string copy = "; cp.async.ca.shared.global [%to], [%from], 16, %size; cp.async.wait_all;";
  EXPECT_EQ(fault_of(last + "0" + copy, 16), "no fault");
  EXPECT_THAT(fault_of(last + "16" + copy, 1), AllOf(HasSubstr("lane 31"), HasSubstr("read of 1 bytes")));
  EXPECT_EQ(fault_of(last + "16" + copy, 0), "no fault");
}

}  // namespace
}  // namespace quadpair::device
