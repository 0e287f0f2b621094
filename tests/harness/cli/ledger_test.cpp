// ledger: bytes by policy and rank.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/cli/ledger.hpp"
#include "tests/harness/cli/support.hpp"

namespace quadpair::cli {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string production = QUADPAIR_TEST_DATA "/../cases/models/production-27b/config.json";

TEST(Ledger, ReproducesTheMeasuredModelToTheByte) {
  const Folder folder;
  const std::string file = folder / "ledger.json";
  const Result result =
      call({"ledger", production, "--tp", "4", "--policy", "compact", "--against", "shared", "--json", file});
  ASSERT_EQ(result.status, 0) << result.err;
  const json ledger = read_json(file);
  EXPECT_EQ(ledger["tp"], 4);
  using Bytes = std::vector<std::uint64_t>;
  for (std::size_t rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(bytes_of(ledger, "shared", rank, "turbomind_codes"), Bytes{3'044'802'560});
    EXPECT_EQ(bytes_of(ledger, "shared", rank, "turbomind_scales"), Bytes{761'200'640});
    EXPECT_EQ(bytes_of(ledger, "compact", rank, "qpn2_scales"), Bytes{380'600'320});
    EXPECT_EQ(bytes_of(ledger, "compact", rank, "turbomind_scales"), Bytes{});
    EXPECT_EQ(bytes_of(ledger, "compact", rank, "qpn8_codes"), Bytes{std::uint64_t{62'080} * 5'120});
    EXPECT_EQ(bytes_of(ledger, "compact", rank, "qpn8_scales"), Bytes{62'080 * 2});
    EXPECT_EQ(bytes_of(ledger, "compact", rank, "lm_head_fp16"), Bytes{635'699'200});  // 606.25 MiB
    EXPECT_EQ(bytes_of(ledger, "shared", rank, "lm_head_fp16"), (Bytes{635'699'200, 635'699'200}));
    EXPECT_EQ(bytes_of(ledger, "shared", rank, "lm_head_packed"), Bytes{635'699'200});
    std::uint64_t sum = 0;
    for (const json& item : ledger["policies"]["shared"]["per_rank"][rank]["items"])
      sum += item["bytes"].get<std::uint64_t>();
    EXPECT_EQ(ledger["policies"]["shared"]["per_rank"][rank]["total"], sum);
  }
  EXPECT_THAT(result.out, AllOf(HasSubstr("2.835693"), HasSubstr("0.354462"), HasSubstr("1.417847"),
                                HasSubstr("1.184"), HasSubstr("0.708923"), HasSubstr("-7.572021")));
  EXPECT_THAT(result.out, HasSubstr("allocation granularity is not counted"));
}

TEST(Ledger, IsInReportsOfTheProductionModelAlone) {
  const Folder folder;
  const std::string report = folder / "r.json", ledger = folder / "l.json";
  const auto ledger_of_suite = [&](const char* suite, const char* filter) {
    EXPECT_EQ(call({"verify", "--device", "emulator", "--suite", suite, "--filter", filter, "--json", report})
                  .status,
              0);
    return read_json(report)["ledger"];
  };
  const json found = ledger_of_suite("production", "gdn_out/m1/.*sm90/hopper");
  ASSERT_EQ(
      call({"ledger", production, "--tp", "4", "--policy", "shared", "--against", "dual", "--json", ledger})
          .status,
      0);
  const json policies = read_json(ledger)["policies"];
  EXPECT_EQ(found["tp"], 4);
  EXPECT_EQ(found["policies"]["shared"], policies["shared"]);
  EXPECT_EQ(found["policies"]["dual"], policies["dual"]);
  EXPECT_EQ(ledger_of_suite("default", "minilm.0.o/m1/.*sm90/hopper"), json::object());
}

TEST(Ledger, DualKeepsBothCodes) {
  const Result result = call({"ledger", production, "--tp", "4", "--policy", "dual"});
  EXPECT_THAT(result.out, testing::ContainsRegex("qpn2_codes +3044802560 +2\\.835693"));
  EXPECT_THAT(result.out, testing::ContainsRegex("turbomind_codes +3044802560 +2\\.835693"));
}

TEST(Ledger, RefusesWhatItCannotShare) {
  const Result result = call({"ledger", production, "--tp", "3"});
  EXPECT_EQ(result.status, 65);
  EXPECT_THAT(
      result.err,
      HasSubstr(
          "'model.layers.0.linear_attn.in_proj_qkv' has 16 units of 128 rows, which 3 ranks cannot share"));
  EXPECT_EQ(call({"ledger", "no-such-file"}).status, 65);
  EXPECT_EQ(call({"ledger", production, "--policy", "other"}).status, 64);
}

}  // namespace
}  // namespace quadpair::cli
