// Captured launches: frozen arguments, the buffers' contents of the moment.
#include <gtest/gtest.h>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

/// out[i] = 3 * in[i] + add
constexpr const char* parameters = ".param .u64 in, .param .u64 out, .param .u32 add";
constexpr const char* body =
    ".reg .b64 %in, %out, %i; .reg .b32 %v, %add, %t; ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
    "ld.param.u32 %add, [add]; mov.u32 %t, %tid.x; mul.wide.u32 %i, %t, 4; add.u64 %in, %in, %i; add.u64 "
    "%out, "
    "%out, %i;\n"
    "ld.global.u32 %v, [%in]; mad.lo.u32 %v, %v, 3, %add; st.global.u32 [%out], %v; ret;";

std::vector<std::uint32_t> counting(std::uint32_t first) {
  std::vector<std::uint32_t> values(64);
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = first + i;
  return values;
}

TEST(Graphs, ReplayOnWhatTheBuffersHoldThen) {
  KernelRunner runner(parameters, body);
  const auto in = runner.input(counting(0));
  const auto middle = runner.output<std::uint32_t>(64), out = runner.output<std::uint32_t>(64);
  std::vector<Launch> launches = {
      runner.launch({1}, {64}, Arguments().add(in->address()).add(middle->address()).add(5u)),
      runner.launch({1}, {64}, Arguments().add(middle->address()).add(out->address()).add(7u))};
  const auto graph = runner.device().capture(launches);
  EXPECT_EQ(contents<std::uint32_t>(*out)[0], 0xCDCDCDCDu) << "capture runs nothing";
  launches.clear();

  for (const std::uint32_t first : {10u, 1000u, 10u}) {
    const auto values = counting(first);
    in->upload(std::as_bytes(std::span(values)));
    out->fill(0xCD);
    middle->fill(0xEE);
    graph->replay();
    const auto found = contents<std::uint32_t>(*out);
    for (std::uint32_t i = 0; i < 64; ++i) ASSERT_EQ(found[i], 3 * (3 * (first + i) + 5) + 7);
  }
}

TEST(Graphs, ArgumentsAreFrozen) {
  KernelRunner runner(parameters, body);
  const auto in = runner.input(counting(0));
  const auto out = runner.output<std::uint32_t>(64);
  Launch launch = runner.launch({1}, {64}, Arguments().add(in->address()).add(out->address()).add(1u));
  const auto graph = runner.device().capture({&launch, 1});
  launch = runner.launch({1}, {64}, Arguments().add(in->address()).add(out->address()).add(2u));
  graph->replay();
  EXPECT_EQ(contents<std::uint32_t>(*out)[0], 1u);
}

TEST(Graphs, RefuseAtCaptureWhatCannotRun) {
  KernelRunner runner(parameters, ".reg .b32 %v; ex2.approx.f32 %v, %v; ret;");
  const Launch launch =
      runner.launch({1}, {64}, Arguments().add(std::uint64_t{0}).add(std::uint64_t{0}).add(1u));
  EXPECT_THROW(runner.device().capture({&launch, 1}), Fault);
}

}  // namespace
}  // namespace quadpair::device
