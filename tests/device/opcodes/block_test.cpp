// Barriers, shared memory between warps, many blocks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

/// Out[block][thread] = in[block][(thread + turn) mod n] after `turn` steps in which each thread takes its
/// neighbour's value: warps wait for each other at two barriers a step.
const std::string rotate_body =
    ".reg .b64 %in, %out, %i, %mine, %next; .reg .b32 %x, %n, %v, %t, %turns; .reg .pred %p;\n"
    "mov.u32 %x, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %t, %ctaid.x; mad.lo.u32 %t, %t, %n, %x;\n"
    "mul.wide.u32 %i, %t, 4; ld.param.u64 %in, [in]; add.u64 %in, %in, %i; ld.param.u64 %out, [out]; add.u64 "
    "%out, %out, %i;\n"
    "ld.param.u32 %turns, [turns]; ld.global.u32 %v, [%in];\n"
    "mov.u64 %mine, values; mul.wide.u32 %i, %x, 4; add.u64 %mine, %mine, %i;\n"
    "add.u32 %t, %x, 1; setp.eq.u32 %p, %t, %n; @%p mov.u32 %t, 0; mov.u64 %next, values; mul.wide.u32 %i, "
    "%t, 4;\n"
    "add.u64 %next, %next, %i; mov.u32 %t, 0;\n"
    "TOP: setp.ge.u32 %p, %t, %turns; @%p bra DONE; st.shared.u32 [%mine], %v; bar.sync 0; ld.shared.u32 %v, "
    "[%next];\n"
    "bar.sync 0; add.u32 %t, %t, 1; bra TOP; DONE: st.global.u32 [%out], %v; ret;";

void expect_rotation(KernelRunner& runner, std::uint32_t blocks, std::uint32_t threads,
                     std::uint32_t dynamic) {
  std::vector<std::uint32_t> values(blocks * threads);
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = i * 2654435761u;
  const auto in = runner.input(values);
  const auto out = runner.output<std::uint32_t>(values.size());
  const std::uint32_t turns = 45;
  runner.run({blocks}, {threads}, Arguments().add(in->address()).add(out->address()).add(turns), dynamic);
  const auto found = contents<std::uint32_t>(*out);
  for (std::uint32_t block = 0; block < blocks; ++block)
    for (std::uint32_t thread = 0; thread < threads; ++thread)
      ASSERT_EQ(found[block * threads + thread], values[block * threads + (thread + turns) % threads])
          << "block " << block << ", thread " << thread << " of " << threads;
}

constexpr const char* rotate_parameters = ".param .u64 in, .param .u64 out, .param .u32 turns";

TEST(Blocks, WarpsExchangeThroughSharedMemory) {
  for (const std::uint32_t threads : {32u, 64u, 96u, 100u, 256u, 1024u}) {
    KernelRunner runner(rotate_parameters, ".shared .align 4 .b8 values[4096];\n" + rotate_body);
    expect_rotation(runner, 5, threads, 0);
  }
}

TEST(Blocks, DynamicSharedMemoryLiesBehindTheStatic) {
  KernelRunner runner(
      ".version 8.7\n.target sm_70\n.address_size 64\n.extern .shared .align 16 .b8 values[];\n"
      ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 turns)\n"
      "{ .shared .align 4 .b8 other[20]; .reg .b64 %o; mov.u64 %o, other;\n" +
      rotate_body + "\n}\n");
  expect_rotation(runner, 3, 96, 96 * 4);
}

TEST(Blocks, SharedMemoryIsEachBlocksOwn) {
  KernelRunner runner(
      ".param .u64 out",
      ".reg .b64 %out, %i, %s; .reg .b32 %x, %v, %w; .reg .pred %p; .shared .align 4 .b8 word[4];\n"
      "mov.u64 %s, word; mov.u32 %x, %ctaid.x; mov.u32 %v, %tid.x; setp.eq.u32 %p, %v, 0;\n"
      "@%p st.shared.u32 [%s], %x; bar.sync 0; ld.shared.u32 %x, [%s];\n"
      "mov.u32 %v, %ctaid.x; mul.lo.u32 %v, %v, 64; mov.u32 %w, %tid.x; add.u32 %v, %v, %w;\n"
      "ld.param.u64 %out, [out]; mul.wide.u32 %i, %v, 4; add.u64 %out, %out, %i; st.global.u32 [%out], %x; "
      "ret;");
  const auto out = runner.output<std::uint32_t>(64 * 40);
  runner.run({40}, {64}, Arguments().add(out->address()));
  const auto found = contents<std::uint32_t>(*out);
  for (std::uint32_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], i / 64) << "thread " << i;
}

TEST(Blocks, HaveAsMuchSharedMemoryAsTheirTarget) {
  const auto outcome = [](Target target, reference::Model model, std::uint32_t bytes) -> std::string {
    KernelRunner runner(
        fmt::format(".version 8.7\n.target sm_{}\n.address_size 64\n.extern .shared .align 16 .b8 s[];\n"
                    ".visible .entry k(.param .u32 last)\n{{ .reg .b32 %a; ld.param.u32 %a, [last];\n"
                    "st.shared.u32 [%a], %a; ret; }}\n",
                    to_string(target).substr(2)),
        target, model);
    try {
      runner.run({1}, {32}, Arguments().add(bytes - 4), bytes);
    } catch (const Fault& fault) {
      return fault.what();
    }
    return "";
  };
  using enum reference::Model;
  EXPECT_EQ(outcome(Target::sm70, volta, 98304), "");
  EXPECT_EQ(outcome(Target::sm80, ampere, 166912), "");
  EXPECT_EQ(outcome(Target::sm90, hopper, 232448), "");
  EXPECT_EQ(outcome(Target::sm70, volta, 98308),
            "test/kernel.sm70:k: 98308 bytes of shared memory a block, of at most 98304");
  EXPECT_NE(outcome(Target::sm80, ampere, 166916), "");
  EXPECT_NE(outcome(Target::sm90, hopper, 232452), "");
}

/// Threads exchange words with thread t ^ 32, those of warps 2 and 3 twice, through barriers 1 and 2 of
/// `count` threads.
std::string pairs_body(std::uint32_t count) {
  return fmt::format(
      ".reg .b64 %out, %i; .reg .b32 %t, %v, %mine, %other, %id, %n, %turns; .reg .pred %p; .shared .align 4 "
      ".b8 s[512];\n"
      "mov.u32 %t, %tid.x; mov.u32 %v, %t; shl.b32 %mine, %t, 2; xor.b32 %other, %mine, 128; shr.u32 %turns, "
      "%t, 6;\n"
      "add.u32 %turns, %turns, 1; mov.u32 %id, %turns; mov.u32 %n, {};\n"
      "TOP: st.shared.u32 [%mine], %v; bar.sync %id, %n; ld.shared.u32 %v, [%other]; barrier.sync %id, {};\n"
      "sub.u32 %turns, %turns, 1; setp.ne.u32 %p, %turns, 0; @%p bra TOP; bar.sync 0;\n"
      "ld.param.u64 %out, [out]; mul.wide.u32 %i, %t, 4; add.u64 %out, %out, %i; st.global.u32 [%out], %v; "
      "ret;",
      count, count);
}

TEST(Blocks, PartsOfABlockHaveTheirOwnBarriers) {
  KernelRunner runner(".param .u64 out", pairs_body(64));
  const auto out = runner.output<std::uint32_t>(128);
  runner.run({1}, {128}, Arguments().add(out->address()));
  const auto found = contents<std::uint32_t>(*out);
  for (std::uint32_t t = 0; t < 128; ++t) ASSERT_EQ(found[t], t < 64 ? t ^ 32 : t) << t;
}

TEST(Blocks, ABarrierThatTooFewReachIsAFault) {
  KernelRunner runner(".param .u64 out", pairs_body(96));
  const auto out = runner.output<std::uint32_t>(128);
  try {
    runner.run({1}, {128}, Arguments().add(out->address()));
    FAIL() << "no fault";
  } catch (const Fault& fault) {
    EXPECT_NE(std::string(fault.what()).find("barrier 1 of 96 threads, at which 64 wait"), std::string::npos)
        << fault.what();
  }
}

}  // namespace
}  // namespace quadpair::device
