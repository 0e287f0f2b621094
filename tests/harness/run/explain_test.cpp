// The emulator's sums beside the reference's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/common/error.hpp"
#include "tests/harness/run/explained.hpp"

namespace quadpair::run {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Sound = testing::TestWithParam<cases::Case>;

TEST_P(Sound, EveryStepIsTheReferences) {
  const cases::Case& c = GetParam();
  for (const auto& [row, column] : {std::pair(0u, 0u), std::pair(c.m - 1, 71u)}) {
    const Explanation e = explained(c, row, column);
    ASSERT_FALSE(e.difference) << e.difference->what;
    EXPECT_EQ(e.actual, by_gemm(c, row, column));
    EXPECT_EQ(e.expected, by_gemm(c, row, column));
    ASSERT_EQ(e.sums.size(), c.operation.find("gated") == std::string::npos ? 1u : 2u);
    for (const SumExplained& sum : e.sums) {
      std::size_t products = 0;
      for (const DeviceSum::Slice& slice : sum.device.value().slices)
        for (const DeviceSum::Chain& chain : slice.chains)
          for (const std::uint32_t step : chain.steps)
            products += (sum.history->nodes[step].inputs.size() - 1) / 2;
      EXPECT_EQ(products, e.k);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Operators, Sound,
    testing::Values(case_of("qpn2_gemm", "edge.all_codes_2688", 3, "sm70", "volta"),
                    case_of("qpn2_gemm", "edge.all_codes_2688", 17, "sm70", "fma-lowered", "shared"),
                    case_of("qpn2_gemm", "edge.all_codes_2688", 33, "sm80", "ampere"),
                    case_of("qpn2_gemm", "edge.all_codes_2688", 9, "sm90", "hopper", "compact"),
                    case_of("qpn2_gated", "edge.gated_160", 5, "sm70", "volta"),
                    case_of("qpn2_gated", "edge.gated_160", 5, "sm90", "hopper"),
                    case_of("tm_gemm", "edge.all_codes_2688", 40, "sm70", "volta", "shared"),
                    case_of("tm_gemm", "edge.all_codes_2688", 40, "sm90", "hopper", "compact"),
                    case_of("tm_gemm", "edge.all_codes_2688", 40, "sm80", "ampere", "temporary"),
                    case_of("dense_prefill", "edge.all_codes_2688", 40, "sm70", "volta"),
                    case_of("dense_prefill", "edge.all_codes_2688", 40, "sm90", "hopper"),
                    case_of("qpn2_dispatch", "edge.all_codes_2688", 40, "sm90", "hopper", "shared"),
                    case_of("qpn2_dispatch_gated", "edge.gated_160", 40, "sm70", "volta", "shared")),
    [](const auto& param) {
      std::string name = param.param.operation + "_" + param.param.target + "_" + param.param.layout + "_m" +
                         std::to_string(param.param.m);
      return name;
    });

TEST(Explain, OtherArithmeticIsFoundAtItsFirstStep) {
  Options options = emulator_options();
  options.make_device = [](reference::Model, unsigned threads) {
    return emulator(reference::Model::fma_lowered, threads);
  };
  Resources resources(options);
  // Some element whose sum shows the other rounding.
  for (std::uint32_t column = 0; column < 72; ++column) {
    const Explanation e = explain(damaged_case(), 0, column, options, resources);
    if (!e.difference) continue;
    EXPECT_EQ(e.difference->kind, "accumulator");
    EXPECT_THAT(e.difference->what, StartsWith("equal products give the accumulator"));
    EXPECT_THAT(e.difference->instruction.value().mnemonic, StartsWith("mma.sync"));
    return;
  }
  FAIL() << "no element shows it";
}

TEST(Explain, WhatHasNoSumIsRefusedByName) {
  const auto refusal = [](const cases::Case& c, std::uint32_t row, std::uint32_t column) -> std::string {
    try {
      explained(c, row, column);
    } catch (const Refused& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(case_of("silu_and_mul", "edge.all_codes", 3, "sm70", "volta"), 0, 0),
              StartsWith("silu_and_mul is not explained"));
  EXPECT_THAT(refusal(case_of("lm_head", "edge.all_codes", 3, "sm70", "volta"), 0, 0),
              StartsWith("lm_head is not explained"));
  EXPECT_THAT(refusal(damaged_case(), 3, 0), HasSubstr("has 3 rows and 72 columns: there is no element 3,0"));
  EXPECT_THAT(refusal(damaged_case(), 0, 72), HasSubstr("there is no element 0,72"));
}

}  // namespace
}  // namespace quadpair::run
