// A fault ends its launch and nothing else.
#include <gmock/gmock.h>

#include <string>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

using testing::HasSubstr;

/// out[block] = block for every block; block `bad` and those after it read outside `out` first.
constexpr const char* parameters = ".param .u64 out, .param .u32 bad";
constexpr const char* body =
    ".reg .b64 %out, %a, %i; .reg .b32 %b, %bad, %v; .reg .pred %p;\n"
    "ld.param.u64 %out, [out]; ld.param.u32 %bad, [bad]; mov.u32 %b, %ctaid.x; mul.wide.u32 %i, %b, 4;\n"
    "add.u64 %a, %out, %i; setp.ge.u32 %p, %b, %bad;\n"
    "@%p ld.global.u32 %v, [%out+-4];\n"
    "st.global.u32 [%a], %b; ret;";

class Recovery : public testing::TestWithParam<unsigned> {};

TEST_P(Recovery, TheLowestFaultyBlockIsNamed) {
  KernelRunner runner(parameters, body, {.threads = GetParam()});
  const auto out = runner.output<std::uint32_t>(1000);
  for (const std::uint32_t bad : {0u, 1u, 7u, 500u, 999u}) {
    try {
      runner.run({1000}, {1}, Arguments().add(out->address()).add(bad));
      FAIL() << "no fault";
    } catch (const Fault& fault) {
      EXPECT_THAT(fault.what(), HasSubstr("block (" + std::to_string(bad) + ",0,0)"));
    }
  }
}

TEST_P(Recovery, ALaunchAfterAFaultWorks) {
  KernelRunner runner(parameters, body, {.threads = GetParam()});
  const auto out = runner.output<std::uint32_t>(1000);
  EXPECT_THROW(runner.run({1000}, {1}, Arguments().add(out->address()).add(20u)), Fault);
  EXPECT_THAT(runner.device().take_cost()->warp_instructions, testing::IsEmpty())
      << "which blocks ran is chance";
  out->fill(0xCD);
  runner.run({1000}, {1}, Arguments().add(out->address()).add(1000u));
  const auto found = contents<std::uint32_t>(*out);
  for (std::uint32_t b = 0; b < found.size(); ++b) ASSERT_EQ(found[b], b);
}

INSTANTIATE_TEST_SUITE_P(Threads, Recovery, testing::Values(1, 2, 4));

// One block runs for ever unless the fault of an earlier one stops it.
TEST(Recovery, AFaultStopsBlocksThatAreStillRunning) {
  KernelRunner runner(".param .u64 out",
                      ".reg .b64 %out; .reg .b32 %b, %v; .reg .pred %p; ld.param.u64 %out, [out];\n"
                      "mov.u32 %b, %ctaid.x; setp.eq.u32 %p, %b, 0; @%p bra FAULTY;\n"
                      "TOP: bra TOP;\n"
                      "FAULTY: mov.u32 %v, 0;\n"
                      "WAIT: add.u32 %v, %v, 1; setp.lt.u32 %p, %v, 100000; @%p bra WAIT;\n"
                      "ld.global.u32 %v, [%out+64]; ret;",
                      {.threads = 2, .budget = std::uint64_t{1} << 50});
  const auto out = runner.output<std::uint32_t>(1);
  try {
    runner.run({2}, {32}, Arguments().add(out->address()));
    FAIL() << "no fault";
  } catch (const Fault& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("60 bytes past the end of buffer 'output'"));
  }
}

TEST(Admission, BlocksGridsAndArguments) {
  KernelRunner plain(".param .u64 a, .param .u32 b", "ret;");
  const auto refusal = [](KernelRunner& kernel, Dim3 block, const Arguments& arguments) -> std::string {
    try {
      kernel.run({1}, block, arguments);
    } catch (const Fault& fault) {
      return fault.what();
    }
    return "accepted";
  };
  const Arguments right = Arguments().add(std::uint64_t{0}).add(0u);
  EXPECT_EQ(refusal(plain, {1024}, right), "accepted");
  EXPECT_THAT(refusal(plain, {1025}, right), HasSubstr("a block of 1025 threads, of at most 1024"));
  EXPECT_THAT(refusal(plain, {0}, right), HasSubstr("a block of 0 threads"));
  EXPECT_THAT(refusal(plain, {32}, Arguments().add(std::uint64_t{0})),
              HasSubstr("8 bytes of arguments, 12 are wanted"));
}

TEST(Admission, AnEmptyGridRunsNothing) {
  KernelRunner runner(parameters, body);
  const auto out = runner.output<std::uint32_t>(1);
  runner.run({0}, {32}, Arguments().add(out->address()).add(0u));
  EXPECT_EQ(contents<std::uint32_t>(*out)[0], 0xCDCDCDCDu);
}

}  // namespace
}  // namespace quadpair::device
