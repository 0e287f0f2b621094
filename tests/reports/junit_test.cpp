#include "reports/junit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/example.hpp"

namespace quadpair::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string junit_of(const Report& report) {
  return to_junit({{{"r.json", report}}, {}, {}});
}

TEST(Junit, CountsAndNamesWhatDidNotPass) {
  const std::string xml = junit_of(example_report());
  EXPECT_THAT(xml, HasSubstr("tests=\"3\" failures=\"3\" errors=\"0\" skipped=\"0\""));
  EXPECT_THAT(xml, HasSubstr("name=\"qpn2_gemm/minilm.0.o/m2/dual/s8.c2/sm70/volta/real\""));
  EXPECT_THAT(xml, HasSubstr("<failure type=\"failed\" message=\"eager: 1 of 4 differ\">"));
  EXPECT_THAT(xml, HasSubstr("expected 0x0000 (0), got 0x8000 (-0)"));
  EXPECT_THAT(xml, HasSubstr("timestamp=\"2025-01-31T12:00:00\""));
}

TEST(Junit, HasASuiteForEachRun) {
  Report other = example_report();
  other.run.id = "another";
  const std::string xml = to_junit({{{"a.json", example_report()}, {"b.json", other}}, {}, {}});
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"quadpair run 1\" package=\"quadpair\" id=\"0\""));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"quadpair run 2\" package=\"quadpair\" id=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<property name=\"run\" value=\"another\"/>"));
}

TEST(Junit, EscapesMarkup) {
  EXPECT_THAT(junit_of(example_report()), HasSubstr("&#39;^a&lt;b&gt;&amp;&quot;c&quot;$&#39;"));
}

TEST(Junit, PassedAndSkippedAreNoFailures) {
  Report report = example_report();
  report.cases.resize(2);
  report.cases[0].status = Status::passed;
  report.cases[1].status = Status::skipped;
  report.cases[1].reason = std::string("tabs\tand\x01 controls");
  const std::string xml = junit_of(report);
  EXPECT_THAT(xml, HasSubstr("failures=\"0\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"tabs\tand\uFFFD controls\"/>"));
  EXPECT_THAT(xml, Not(HasSubstr("<failure")));
}

}  // namespace
}  // namespace quadpair::reports
