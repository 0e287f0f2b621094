#include "reports/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/example.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::reports {
namespace {

using nlohmann::json;

json example() {
  return json::parse(to_json(example_report()).dump());
}

TEST(Json, FollowsTheSchema) {
  EXPECT_EQ(violations(example()), "");
}

TEST(Json, FollowsTheSchemaBeforeAnythingRan) {
  Report report = example_report();
  report.cases.clear();
  report.run.finished.clear();
  report.run.interrupted.reset();
  EXPECT_EQ(violations(json::parse(to_json(report).dump())), "");
}

TEST(Json, SchemaRejectsWhatIsWrong) {
  const auto broken = [](const char* pointer, const json& value) {
    json report = example();
    report[json::json_pointer(pointer)] = value;
    return violations(report);
  };
  EXPECT_NE(broken("/schema", "quadpair.report/2"), "");
  EXPECT_NE(broken("/run/seed", -1), "");
  EXPECT_NE(broken("/run/started", "yesterday"), "");
  EXPECT_NE(broken("/cases/0/status", "fine"), "");
  EXPECT_NE(broken("/cases/0/surprise", 1), "");
  EXPECT_NE(broken("/cases/0/checks/0/first/expected", 1.5), "");
  EXPECT_NE(broken("/cases/0/coverage/codes_seen", 255), "");
  EXPECT_NE(broken("/cases/0/seconds/device", nullptr), "");
  EXPECT_NE(broken("/timings/0/verdict", "quick"), "");
  EXPECT_NE(broken("/timings/0/unit", "hours"), "");
  EXPECT_NE(broken("/timings/0/ratio", "1.5"), "");
  EXPECT_NE(broken("/timings/0/samples", -1), "");
  EXPECT_NE(broken("/weighted/0/surprise", 1), "");
  EXPECT_NE(broken("/weighted/0/ratio", nullptr), "");
  json report = example();
  report["cases"][0].erase("repro");
  EXPECT_NE(violations(report), "");
}

TEST(Json, HoldsBitsAsHexAndNoNanTokens) {
  const json first = example()["cases"][0]["checks"][0]["first"];
  EXPECT_EQ(first, json({{"index", 2}, {"expected", "0x0000"}, {"actual", "0x8000"}, {"bound", nullptr}}));
  const std::string text = to_json(example_report()).dump();
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("NaN")));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("Infinity")));
}

TEST(Json, HoldsTimingsAndWhatCouldNotBeMeasured) {
  const json report = example();
  EXPECT_EQ(report["timings"][0]["ratio_high"], 1.75);
  EXPECT_EQ(report["timings"][0]["candidate_median"], 3e-6);
  EXPECT_EQ(report["timings"][0]["dropped"], 4);
  EXPECT_TRUE(report["timings"][1]["ratio"].is_null());
  EXPECT_TRUE(report["timings"][1]["bandwidth_fraction"].is_null());
  EXPECT_EQ(report["weighted"][0], json({{"m", 8},
                                         {"name", "projections/sm90/hopper/stream"},
                                         {"ratio", 1.5},
                                         {"ratio_low", 1.25},
                                         {"ratio_high", 1.75}}));
  EXPECT_EQ(report["run"]["device"]["clocks_mhz"], json({{"sm_median", 1980}}));
}

TEST(Json, CountsStatuses) {
  EXPECT_EQ(example()["summary"],
            json({{"passed", 0}, {"failed", 1}, {"skipped", 0}, {"refused", 1}, {"mistrusted", 1}}));
}

TEST(Json, ListsEachKernelOnce) {
  EXPECT_EQ(example()["run"]["kernels"].size(), 1u);
}

TEST(Json, ReasonHoldsTheNotes) {
  EXPECT_EQ(example()["cases"][0]["reason"], "eager: 1 of 4 differ; y of 8 bytes written at offset 8; ");
}

}  // namespace
}  // namespace quadpair::reports
