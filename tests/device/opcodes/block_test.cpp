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

}  // namespace
}  // namespace quadpair::device
