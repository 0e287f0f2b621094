#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/cli/support.hpp"
#include "tests/kernels/damaged/damaged.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::string id = "qpn2_gemm/edge.all_codes_2688/m19/dual/s16.c2/sm70/volta/normal";

const Module& swapped_scales(std::string_view name, Target target) {
  return damaged::find_module({"qpn2/gemm", damaged::Damage::swapped_scales}, name, target);
}

TEST(ExplainCommand, TellsEveryStepInJsonAndTheFirstInText) {
  const Folder folder;
  const Result result = call({"explain", id, "--at", "18,71", "--json", folder / "e.json"});
  ASSERT_EQ(result.status, 0) << result.err << result.out;
  EXPECT_THAT(result.out, HasSubstr("row 18, column 71 of 19 x 72, K = 256, weights by the qpn2 rule"));
  EXPECT_THAT(result.out, HasSubstr("no difference"));
  EXPECT_THAT(result.out, HasSubstr("slice 0 chain 0 step 0, k 0-3"));
  EXPECT_THAT(result.out, Not(HasSubstr("slice 1 chain 0 step 0")));

  const json e = read_json(folder / "e.json");
  EXPECT_EQ(reports::violations(e, "explanation.schema.json"), "");
  EXPECT_EQ(e["case"], id);
  EXPECT_EQ(e["expected"], e["actual"]);
  EXPECT_EQ(e["fp64"]["within"], true);
  EXPECT_EQ(e["difference"], nullptr);
  const json& sum = e["sums"][0];
  ASSERT_EQ(sum["slices"].size(), 16u);
  std::size_t steps = 0;
  for (const json& slice : sum["slices"])
    for (const json& chain : slice["chains"])
      for (const json& step : chain["steps"]) {
        ++steps;
        EXPECT_EQ(step["device"]["accumulator"], step["reference"]);
        EXPECT_EQ(step["device"]["k"], step["k"]);
      }
  EXPECT_EQ(steps, 256u / 4);
  EXPECT_EQ(sum["slices"][15]["running"]["device"], sum["slices"][15]["running"]["reference"]);
}

TEST(ExplainCommand, AllShowsEveryStep) {
  const Result result = call({"explain", id, "--at", "0,0", "--all"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("slice 15 chain 1 step 1, k 252-255"));
}

TEST(ExplainCommand, MarksTheFirstDifference) {
  const Folder folder;
  const Result result = call(
      {"explain", id, "--at", "3,5", "--suite", "edges", "--json", folder / "e.json"},
      [](std::string_view name, Target target) -> const Module& { return swapped_scales(name, target); });
  // With 16 slices of one group each, no two groups exchange their scales.
  EXPECT_EQ(result.status, 0);
  const Result wrong = call({"explain", "qpn2_gemm/minilm.0.o/m1/dual/s8.c2/sm70/volta/real", "--at", "0,5",
                             "--json", folder / "w.json"},
                            swapped_scales);
  EXPECT_EQ(wrong.status, 1) << wrong.err;
  EXPECT_THAT(wrong.out,
              HasSubstr("first difference (weight) at sum, slice 0, chain 0, step 0: weight of row 5, k 0"));
  EXPECT_THAT(wrong.out, HasSubstr("made by PTX line "));
  EXPECT_THAT(wrong.out, HasSubstr("kernels/common/device.cuh:"));
  EXPECT_THAT(wrong.out, HasSubstr("inlined at kernels/qpn2/slice_m8n8k4.cuh:"));
  const json e = read_json(folder / "w.json");
  EXPECT_EQ(reports::violations(e, "explanation.schema.json"), "");
  EXPECT_EQ(e["difference"]["kind"], "weight");
  EXPECT_NE(e["expected"], e["actual"]);
}

TEST(ExplainCommand, WrongOptionsAndCases) {
  EXPECT_EQ(call({"explain"}).status, 64);
  EXPECT_EQ(call({"explain", id}).status, 64);
  EXPECT_EQ(call({"explain", id, "--at", "3"}).status, 64);
  EXPECT_EQ(call({"explain", id, "--at", "-1,2"}).status, 64);
  EXPECT_EQ(call({"explain", id, "--at", "0,0", "--suite", "none"}).status, 64);
  EXPECT_EQ(call({"explain", "qpn2_gemm/none", "--at", "0,0"}).status, 4);
  EXPECT_EQ(call({"explain", id, "--at", "0,0", "--suite", "default"}).status, 4);
  const Result outside = call({"explain", id, "--at", "19,0"});
  EXPECT_EQ(outside.status, 65);
  EXPECT_THAT(outside.err, HasSubstr("there is no element 19,0"));
}

TEST(ExplainCommand, AnOperatorWithoutSumsIsRefusedByName) {
  const Folder folder;
  write(folder / "mine.json", R"({"schema": "quadpair.suite/1", "name": "mine", "description": "", "groups": [
      {"operators": ["silu_and_mul"], "slices": ["edge.unit"], "m": [3], "targets": {"sm70": ["volta"]},
       "fills": ["normal"]}]})");
  const Result result = call({"explain", "silu_and_mul/edge.unit/m3/sm70/volta/normal", "--at", "0,0",
                              "--cases", folder / "mine.json"});
  EXPECT_EQ(result.status, 65);
  EXPECT_THAT(result.err, HasSubstr("silu_and_mul is not explained"));
}

TEST(ExplainCommand, HelpHasExamples) {
  const Result result = call({"explain", "--help"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("quadpair explain qpn2_gemm/minilm.0.o/m17"));
}

}  // namespace
}  // namespace quadpair::cli
