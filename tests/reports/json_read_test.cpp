#include "reports/json_read.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/reports/example.hpp"

namespace quadpair::reports {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Json parsed(const Json& json) {
  return Json::parse(json.dump());
}

std::string complaint(const Json& json) {
  try {
    report_from_json(json);
  } catch (const ReadError& e) {
    return e.what();
  }
  return "none";
}

TEST(JsonRead, GivesBackAWholeReport) {
  const Report written = full_report();
  const Report read = report_from_json(parsed(to_json(written)));
  EXPECT_EQ(to_json(read).dump(1), to_json(written).dump(1));
  ASSERT_EQ(read.cases.size(), 3u);
  EXPECT_EQ(read.cases[0].kernels, written.cases[0].kernels);
  EXPECT_TRUE(read.cases[1].kernels.empty());
  EXPECT_EQ(read.run.interrupted->sender_pid, 42);
}

TEST(JsonRead, GivesBackTheValuesOfBitPatterns) {
  Report report = full_report();
  report.cases[0].checks[1].first->bound = 0.5;  // the example's NaN value has none to write
  const CaseRecord read = case_from_json(parsed(to_json(report.cases[0])));
  const reports::Mismatch first = read.checks[0].first.value();
  EXPECT_EQ(first.expected_value, 0.0);
  EXPECT_TRUE(std::signbit(first.actual_value));
  EXPECT_EQ(first.bound, std::nullopt);
  EXPECT_EQ(read.checks[0].columns, 2u);
  EXPECT_TRUE(std::isnan(read.checks[1].first->expected_value));  // FP64
  EXPECT_EQ(read.checks[1].first->bound, 0.5);
  EXPECT_EQ(reports::describe(read.checks[0]), reports::describe(report.cases[0].checks[0]));
}

TEST(JsonRead, GivesBackACaseThatNeverRan) {
  const CaseRecord written = example_report().cases[1];
  const CaseRecord read = case_from_json(parsed(to_json(written)));
  EXPECT_EQ(to_json(read), to_json(written));
  EXPECT_FALSE(read.cost);
}

TEST(JsonRead, ReadsReportsWithoutLaterMembers) {
  Json json = parsed(to_json(full_report()));
  json["cases"][0]["checks"][0].erase("columns");
  json["cases"][0]["checks"][0]["first"].erase("bound");
  EXPECT_EQ(report_from_json(json).cases[0].checks[0].columns, 0u);
}

TEST(JsonRead, ReadsTheCommittedReports) {
  for (const char* name : {"edges", "bench-stream"}) {
    std::ifstream file(std::string(QUADPAIR_TEST_DATA) + "/../reports/baselines/h200/" + name + ".json");
    const Report report = report_from_json(Json::parse(file));
    EXPECT_EQ(report.run.device.kind, "cuda");
    ASSERT_GT(report.cases.size(), 5u);
    EXPECT_GT(report.run.kernels.size(), 2u);
    EXPECT_FALSE(report.run.suite) << "written before reports said so";
    EXPECT_FALSE(report.run.options);
    EXPECT_FALSE(report.cases.back().index);
  }
}

TEST(JsonRead, RefusesWhatIsMalformedByItsPlace) {
  const auto with = [](const char* place, const Json& value) {
    Json json = parsed(to_json(full_report()));
    json[Json::json_pointer(place)] = value;
    return complaint(parsed(json));
  };
  const auto without = [](const char* place, const char* member) {
    Json json = parsed(to_json(full_report()));
    json[Json::json_pointer(place)].erase(member);
    return complaint(json);
  };
  EXPECT_EQ(complaint(parsed(to_json(full_report()))), "none");
  EXPECT_THAT(complaint(Json::array()), StartsWith("/: no object"));
  EXPECT_THAT(with("/schema", "quadpair.report/2"), StartsWith("/schema: "));
  EXPECT_THAT(with("/cases/1/status", "fine"), StartsWith("/cases/1/status: \"fine\""));
  EXPECT_THAT(with("/cases/0/shape/m", -1), StartsWith("/cases/0/shape/m: "));
  EXPECT_THAT(with("/cases/0/shape/m", 1.5), StartsWith("/cases/0/shape/m: "));
  EXPECT_THAT(with("/cases/0/shape/m", std::uint64_t{1} << 32), StartsWith("/cases/0/shape/m: "));
  EXPECT_THAT(with("/cases/0/checks/0/kind", "near"), StartsWith("/cases/0/checks/0/kind: "));
  EXPECT_THAT(with("/cases/0/checks/0/first/actual", "0x12"), StartsWith("none"));  // a byte
  EXPECT_THAT(with("/cases/0/checks/0/first/actual", "0x123"), HasSubstr("/first/actual: \"0x123\""));
  EXPECT_THAT(with("/cases/0/checks/0/first/actual", "3c00"), HasSubstr("/first/actual: "));
  EXPECT_THAT(with("/cases/0/checks/0/first/bound", "x"), HasSubstr("/first/bound: no number"));
  EXPECT_THAT(with("/cases/0/seconds/device", nullptr), StartsWith("/cases/0/seconds/device: no number"));
  EXPECT_THAT(with("/cases/0/cost/mma/m8n8k4", "many"), StartsWith("/cases/0/cost/mma/m8n8k4: "));
  EXPECT_THAT(with("/cases/0/surprise", 1), StartsWith("/cases/0/surprise: not understood"));
  EXPECT_THAT(with("/run/git/dirty", 1), StartsWith("/run/git/dirty: "));
  EXPECT_THAT(with("/run/interrupted", 1), StartsWith("/run/interrupted"));
  EXPECT_THAT(with("/run/device/clocks_mhz/sm", "fast"), StartsWith("/run/device/clocks_mhz/sm: "));
  EXPECT_THAT(with("/timings/0/ratio", "1.5"), StartsWith("/timings/0/ratio: no number"));
  EXPECT_THAT(with("/weighted/0/m", "8"), StartsWith("/weighted/0/m: "));
  EXPECT_THAT(with("/summary/passed", 9), StartsWith("/summary/passed: "));
  EXPECT_THAT(with("/timings", 3), StartsWith("/timings: no array"));
  EXPECT_THAT(without("/cases/2", "repro"), StartsWith("/cases/2: \"repro\" is missing"));
  EXPECT_THAT(without("/run", "seed"), StartsWith("/run: \"seed\" is missing"));
}

}  // namespace
}  // namespace quadpair::reports
