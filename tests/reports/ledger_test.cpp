#include "reports/ledger.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/json_read.hpp"
#include "tests/reports/example.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Ledger example() {
  return example_report().ledger.value();
}

TEST(Ledger, SumsOverItemsAndRanks) {
  PolicyLedger policy = example().policies[0];
  EXPECT_EQ(policy.ranks[0].bytes("lm_head_fp16"), 16u);
  EXPECT_EQ(policy.ranks[0].total(), 80u);
  policy.ranks.push_back({1, {{"qpn2_codes", 5}}});
  EXPECT_EQ(policy.bytes("qpn2_codes"), 69u);
  EXPECT_EQ(policy.total(), 85u);
}

TEST(Ledger, NamesEachItemOnce) {
  EXPECT_THAT(item_names(example().policies), ElementsAre("qpn2_codes", "lm_head_fp16", "turbomind_codes"));
}

TEST(Ledger, IsWrittenAsTheInterfaceSays) {
  EXPECT_EQ(
      to_json(example()).dump(),
      R"({"tp":1,"policies":{"dual":{"per_rank":[{"rank":0,"total":80,"items":[)"
      R"({"name":"qpn2_codes","bytes":64},{"name":"lm_head_fp16","bytes":8},{"name":"lm_head_fp16","bytes":8}]}]},)"
      R"("compact":{"per_rank":[{"rank":0,"total":40,"items":[)"
      R"({"name":"turbomind_codes","bytes":32},{"name":"lm_head_fp16","bytes":8}]}]}}})");
}

TEST(Ledger, IsReadBack) {
  EXPECT_EQ(ledger_from_json(to_json(example())), example());
  EXPECT_EQ(report_from_json(to_json(example_report())).ledger, example());
}

TEST(Ledger, ReportsWithoutOneAreReadToo) {
  Report report = example_report();
  report.ledger.reset();
  EXPECT_EQ(to_json(report)["ledger"].dump(), "{}");
  EXPECT_EQ(violations(nlohmann::json::parse(to_json(report).dump())), "");
  EXPECT_FALSE(report_from_json(to_json(report)).ledger);
}

TEST(Ledger, RefusesWhatDoesNotAddUpOrIsUnknown) {
  const auto complaint = [](const char* pointer, const Json& value) -> std::string {
    Json json = to_json(example());
    json[Json::json_pointer(pointer)] = value;
    try {
      ledger_from_json(json);
    } catch (const ReadError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("/policies/dual/per_rank/0/total", 81u),
            "/policies/dual/per_rank/0/total: the items are 80 bytes");
  EXPECT_THAT(complaint("/policies/dual/per_rank/0/items/0/bytes", -1), HasSubstr("no whole number"));
  EXPECT_THAT(complaint("/policies/dual/surprise", 1), HasSubstr("not understood"));
  EXPECT_THAT(complaint("/tp", "4"), HasSubstr("/tp: no whole number"));
}

}  // namespace
}  // namespace quadpair::reports
