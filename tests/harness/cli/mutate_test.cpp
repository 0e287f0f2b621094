#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/cli/support.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string few = "^qpn2_gemm/edge\\.(all_codes|all_codes_2688)/m(1|6|19)/dual/s8\\.c2/sm70/volta";

TEST(MutateCommand, CountsASample) {
  const Folder folder;
  const Result result = call({"mutate", "qpn2/gemm", "--suite", "edges", "--filter", few, "--sample", "80",
                              "--seed", "3", "--json", folder / "m.json"});
  EXPECT_THAT(result.status, testing::AnyOf(0, 1)) << result.err;
  EXPECT_THAT(result.out, HasSubstr("qpn2/gemm for sm70, "));
  EXPECT_THAT(result.out, HasSubstr(" mutants: "));
  EXPECT_THAT(result.err, HasSubstr("mutate qpn2/gemm: "));
  const json m = read_json(folder / "m.json");
  EXPECT_EQ(reports::violations(m, "mutation.schema.json"), "");
  EXPECT_EQ(m["kernel"], "qpn2/gemm");
  EXPECT_EQ(m["killed"].get<int>() + m["survived"].get<int>(), m["mutants"]);
  EXPECT_EQ(m["survivors"].size(), m["survived"]);
  int explained = 0;
  for (const json& survivor : m["survivors"]) explained += survivor["reason"].is_null() ? 0 : 1;
  EXPECT_EQ(m["explained"], explained);
  EXPECT_EQ(result.status, explained == m["survived"] ? 0 : 1);
}

TEST(MutateCommand, WrongOptionsAndNothingToRun) {
  EXPECT_EQ(call({"mutate"}).status, 64);
  EXPECT_EQ(call({"mutate", "qpn2/none"}).status, 64);
  EXPECT_EQ(call({"mutate", "qpn2/gemm", "--target", "sm60"}).status, 64);
  EXPECT_EQ(call({"mutate", "qpn2/gemm", "--suite", "none"}).status, 64);
  EXPECT_EQ(call({"mutate", "qpn2/gemm", "--filter", "("}).status, 64);
  EXPECT_EQ(call({"mutate", "qpn2/gemm", "--sample", "-1"}).status, 64);
  EXPECT_EQ(call({"mutate", "wide/silu_and_mul", "--suite", "default", "--quiet"}).status, 4);
}

// Each family of kernels has suites that run it.
TEST(MutateCommand, SuitesAreThoseOfTheKernel) {
  for (const std::string kernel : {"qpn8/gemm", "wide/tm_gemm", "dense/gemm"}) {
    const Result result = call({"mutate", kernel, "--sample", "2", "--jobs", "1", "--quiet"});
    EXPECT_THAT(result.status, testing::AnyOf(0, 1)) << kernel << ": " << result.err;
    EXPECT_THAT(result.out, HasSubstr("\n2 mutants: ")) << kernel;
  }
}

TEST(MutateCommand, HelpHasExamples) {
  const Result result = call({"mutate", "--help"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("quadpair mutate qpn2/gated --target sm90"));
}

}  // namespace
}  // namespace quadpair::cli
