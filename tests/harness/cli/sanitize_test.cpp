// verify --sanitize: where it is on, and what a faulty kernel's case says.
#include <gmock/gmock.h>

#include "tests/harness/cli/support.hpp"
#include "tests/kernels/damaged/damaged.hpp"

namespace quadpair::cli {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

const Module& without_barrier(std::string_view name, Target target) {
  return damaged::find_module({"qpn2/gemm", damaged::Damage::dropped_barrier}, name, target);
}

/// A case of `edges` on a kernel that lacks a barrier.
Result faulty(const std::vector<std::string>& more) {
  std::vector<std::string> words{"verify",
                                 "--suite",
                                 "edges",
                                 "--device",
                                 "emulator",
                                 "--filter",
                                 "^qpn2_gemm/edge\\.all_codes_2688/m19/.*/sm70/volta/"};
  words.insert(words.end(), more.begin(), more.end());
  return call(words, without_barrier);
}

const auto race = AllOf(
    HasSubstr("device fault: "),
    ContainsRegex(
        "qpn2/gemm.sm70:[a-z0-9_]+, kernels/qpn2/[a-z0-9_]+.cuh?:[0-9]+, PTX line [0-9]+ '.*', block "
        "\\([0-9]+,[0-9]+,0\\), warp [0-9]+, lane [0-9]+: (read|write) of [0-9]+ bytes at shared address 0x"),
    HasSubstr("race: warp "));

TEST(Sanitize, IsOnInEdges) {
  const Result result = faulty({});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(
      result.out,
      AllOf(race, HasSubstr("repeat: quadpair verify --suite edges --device emulator --seed 1 --filter")));
}

TEST(Sanitize, CanBeTurnedOff) {
  const Result result = faulty({"--sanitize=off"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, AllOf(Not(HasSubstr("race: ")), HasSubstr("--seed 1 --sanitize=off --filter")));
}

TEST(Sanitize, CanBeTurnedOnElsewhere) {
  const std::vector<std::string> words{"verify", "--device", "emulator", "--filter",
                                       "^qpn2_gemm/minilm\\.0\\.o/m9/.*/sm70/volta/"};
  EXPECT_THAT(call(words, without_barrier).out, Not(HasSubstr("race: ")));
  std::vector<std::string> sanitized = words;
  sanitized.emplace_back("--sanitize");
  EXPECT_THAT(call(sanitized, without_barrier).out, race);
  EXPECT_EQ(call(sanitized).status, 0) << "the kernel itself is without fault";
}

TEST(Sanitize, TakesOnAndOffOnly) {
  EXPECT_EQ(call({"verify", "--sanitize=maybe"}).status, 64);
}

TEST(Sanitize, HeadsWhoseRowsAreNoWholeVectors) {
  const Result result = call({"verify", "--suite", "lm-head-real", "--device", "emulator", "--model",
                              "hopper", "--filter", "edge\\.head\\.(few|repeats)/", "--sanitize"});
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("all passed"));
}

}  // namespace
}  // namespace quadpair::cli
