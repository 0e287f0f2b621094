#include "harness/cli/results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/cli/failure.hpp"
#include "harness/cli/table.hpp"
#include "harness/compare/check.hpp"

namespace quadpair::cli {
namespace {

using reports::Status;
using testing::HasSubstr;
using testing::Not;

reports::CaseRecord record(const char* target, Status status) {
  reports::CaseRecord r;
  r.id = "qpn2_gemm/x";
  r.operation = "qpn2_gemm";
  r.target = target;
  r.model = "volta";
  r.status = status;
  r.reason = "no such slice";
  r.repro = "quadpair verify --filter '^qpn2_gemm/x$'";
  r.seconds = {0.25, 0.5};
  return r;
}

reports::Report report() {
  reports::Report r;
  r.run.device.name = "an emulator";
  r.cases = {record("sm70", Status::passed), record("sm90", Status::passed), record("sm70", Status::failed)};
  return r;
}

TEST(Results, TableHasARowAGroupInOrderOfAppearance) {
  EXPECT_EQ(
      results_table(report(), Style(false)),
      "operator   target  model  passed  failed  refused  mistrusted  skipped  device s  reference s\n"
      "qpn2_gemm  sm70    volta       1       1        0           0        0      0.50         1.00\n"
      "qpn2_gemm  sm90    volta       1       0        0           0        0      0.25         0.50\n");
}

TEST(Results, LineSaysHowItEnded) {
  reports::Report r = report();
  EXPECT_EQ(results_line(r, 1.25, Style(false)), "3 cases on an emulator in 1.2 s: 2 passed, 1 failed\n");
  r.cases.pop_back();
  EXPECT_EQ(results_line(r, 1.0, Style(false)), "2 cases on an emulator in 1.0 s: all passed\n");
}

TEST(Results, SkippedCasesAreCountedByReason) {
  reports::Report r;
  for (const char* reason : {"no such slice", "no such GPU", "no such slice"}) {
    r.cases.push_back(record("sm70", Status::skipped));
    r.cases.back().reason = reason;
  }
  r.cases.push_back(record("sm70", Status::failed));
  EXPECT_EQ(skipped_reasons(r), "1 skipped: no such GPU\n2 skipped: no such slice\n");
  EXPECT_EQ(skipped_reasons({}), "");
}

TEST(Results, OneIsNoPlural) {
  EXPECT_EQ(counted(1), "1 case");
  EXPECT_EQ(counted(0), "0 cases");
}

TEST(Results, ColourOnlyWhereWanted) {
  EXPECT_THAT(results_table(report(), Style(true)), HasSubstr("\033[31m1\033[0m"));
  EXPECT_THAT(results_table(report(), Style(false)), Not(HasSubstr("\033")));
}

TEST(Failure, NamesIdCheckBitsAndRepro) {
  reports::CaseRecord r = record("sm70", Status::failed);
  const std::vector<std::uint16_t> expected{0x3C00, 0x4000, 0, 0}, actual{0x3C00, 0x4001, 0, 0};
  r.checks = {compare::bitwise("replay 1", expected, expected),
              compare::bitwise("replay 2", expected, actual)};
  r.checks[1].columns = 2;
  EXPECT_EQ(failure_text(r, Style(false)),
            "failed qpn2_gemm/x\n"
            "  replay 2: 1 of 4 differ, first at [0, 1]: expected 0x4000 (2), got 0x4001 (2.00195312)\n"
            "  repeat: quadpair verify --filter '^qpn2_gemm/x$'\n");
}

TEST(Failure, GivesTheReasonWhereNoCheckDoes) {
  EXPECT_EQ(failure_text(record("sm70", Status::refused), Style(false)),
            "refused qpn2_gemm/x\n"
            "  no such slice\n"
            "  repeat: quadpair verify --filter '^qpn2_gemm/x$'\n");
}

TEST(Table, RefusesARowOfAnotherWidth) {
  Table table({"a", "b"}, 1);
  EXPECT_THROW(table.add({{"1"}}), std::invalid_argument);
}

}  // namespace
}  // namespace quadpair::cli
