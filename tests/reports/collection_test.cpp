#include "reports/collection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/matrix.hpp"
#include "tests/reports/example.hpp"

namespace quadpair::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CaseRecord made_case(const char* id, std::uint32_t m, Status status) {
  CaseRecord record;
  record.id = id;
  record.operation = "qpn2_gemm";
  record.target = "sm70";
  record.model = "volta";
  record.shape.m = m;
  record.status = status;
  return record;
}

From<Report> run(const char* id, std::vector<CaseRecord> cases) {
  Report report;
  report.run.id = id;
  report.run.finished = "2025-01-31T12:00:09Z";
  report.run.device.name = "emulator";
  report.cases = std::move(cases);
  return {std::string(id).append(".json"), report};
}

TEST(Collection, SaysNothingOfOneWholeRun) {
  const Collection collection{{run("a", {made_case("x", 1, Status::passed)})}, {}, {}};
  EXPECT_THAT(notices(collection), IsEmpty());
  EXPECT_EQ(run_label(collection, 0), "");
}

TEST(Collection, SaysWhichCasesAreTwiceAndWhetherTheyAgree) {
  const Collection collection{{run("a", {made_case("x", 1, Status::passed), made_case("y", 1, Status::passed),
                                         made_case("z", 1, Status::skipped)}),
                               run("b", {made_case("x", 1, Status::failed), made_case("y", 1, Status::passed),
                                         made_case("z", 1, Status::failed)})},
                              {},
                              {}};
  EXPECT_THAT(notices(collection), ElementsAre("3 case ids occur in more than one run; each is counted.",
                                               "1 case id did not end alike where it ran; the first is x."));
  EXPECT_EQ(run_label(collection, 1), "run 2");
  EXPECT_EQ(summary_text(collection.summary()), "6 cases: 2 failed, 3 passed, 1 skipped");
}

TEST(Collection, SaysWhichRunsAreTheSameCutShortOrOfAnotherBuild) {
  Collection collection{{run("a", {}), run("a", {}), run("c", {})}, {}, {}};
  collection.runs[1].file = "copy.json";
  collection.runs[1].value.run.interrupted = Interruption{"SIGTERM", 1};
  collection.runs[1].value.run.planned = 7;
  collection.runs[2].value.run.finished.clear();
  collection.runs[2].value.run.git = {"abc", true};
  EXPECT_THAT(notices(collection),
              ElementsAre("copy.json was interrupted by SIGTERM: 0 of 7 cases ran.",
                          "c.json is of a run that did not come to its end: 0 of 0 cases ran.",
                          "a.json and copy.json are of the same run.",
                          HasSubstr("The runs are of different builds: ")));
}

TEST(Collection, ShowsEqualLedgersOnce) {
  const Report report = example_report();
  Ledger other = report.ledger.value();
  other.tp = 2;
  const Collection collection{{{"a.json", report}, {"b.json", report}}, {}, {{"l.json", other}}};
  const auto ledgers = ledgers_of(collection);
  ASSERT_EQ(ledgers.size(), 2u);
  EXPECT_EQ(ledgers[0].file, "a.json, b.json");
  EXPECT_EQ(ledgers[1].file, "l.json");
}

TEST(Collection, WorstStatusIsTheOneThatMatters) {
  EXPECT_EQ(worst({}), Status::skipped);
  EXPECT_EQ(worst({5, 0, 1, 0, 0}), Status::passed);
  EXPECT_EQ(worst({5, 0, 1, 0, 1}), Status::mistrusted);
  EXPECT_EQ(worst({5, 0, 1, 1, 1}), Status::refused);
  EXPECT_EQ(worst({5, 1, 1, 1, 1}), Status::failed);
}

TEST(Matrix, CountsCasesByRowsAndRemembersTheWorst) {
  const Collection collection{{run("a", {made_case("x", 8, Status::passed), made_case("y", 1, Status::passed),
                                         made_case("z", 8, Status::failed), made_case("u", 8, Status::failed),
                                         made_case("v", 0, Status::skipped)})},
                              {},
                              {}};
  const Matrix matrix = matrix_of(collection, 9);
  ASSERT_EQ(matrix.columns.size(), 3u);
  EXPECT_EQ(to_string(matrix.columns[0]), "–");
  EXPECT_EQ(to_string(matrix.columns[2]), "8");
  ASSERT_EQ(matrix.rows.size(), 1u);
  EXPECT_TRUE(matrix.one_device);
  const MatrixCell& eight = matrix.rows[0].cells.at(2);
  EXPECT_EQ(eight.summary.total(), 3u);
  EXPECT_EQ(eight.summary.failed, 2u);
  EXPECT_EQ(eight.worst->id, "z");
  EXPECT_EQ(matrix.rows[0].cells.at(1).worst->id, "y");
}

TEST(Matrix, TakesManyRowsTogether) {
  std::vector<CaseRecord> cases;
  for (std::uint32_t m = 1; m <= 100; ++m) cases.push_back(made_case("x", m, Status::passed));
  const Collection collection{{run("a", cases)}, {}, {}};
  const Matrix matrix = matrix_of(collection, 3);
  ASSERT_EQ(matrix.columns.size(), 3u);
  EXPECT_EQ(to_string(matrix.columns[0]), "1–33");
  EXPECT_EQ(to_string(matrix.columns[1]), "34–66");
  EXPECT_EQ(to_string(matrix.columns[2]), "67–100");
  EXPECT_EQ(matrix.rows[0].cells.at(1).summary.passed, 33u);
}

TEST(Matrix, KeepsDevicesApart) {
  Collection collection{
      {run("a", {made_case("x", 1, Status::passed)}), run("b", {made_case("x", 1, Status::passed)})}, {}, {}};
  collection.runs[1].value.run.device.name = "a GPU";
  const Matrix matrix = matrix_of(collection, 9);
  EXPECT_FALSE(matrix.one_device);
  EXPECT_EQ(matrix.rows.size(), 2u);
}

}  // namespace
}  // namespace quadpair::reports
