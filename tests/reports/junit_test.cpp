#include "reports/junit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/example.hpp"

namespace quadpair::reports {
namespace {

using testing::HasSubstr;

TEST(Junit, CountsAndNamesWhatDidNotPass) {
  const std::string xml = to_junit(example_report());
  EXPECT_THAT(xml, HasSubstr("tests=\"3\" failures=\"3\" skipped=\"0\""));
  EXPECT_THAT(xml, HasSubstr("name=\"qpn2_gemm/minilm.0.o/m2/dual/s8.c2/sm70/volta/real\""));
  EXPECT_THAT(xml, HasSubstr("<failure type=\"failed\" message=\"eager: 1 of 4 differ\">"));
  EXPECT_THAT(xml, HasSubstr("expected 0x0000 (0), got 0x8000 (-0)"));
}

TEST(Junit, EscapesMarkup) {
  EXPECT_THAT(to_junit(example_report()), HasSubstr("'^a&lt;b&gt;&amp;&quot;c&quot;$'"));
}

TEST(Junit, PassedAndSkippedAreNoFailures) {
  Report report = example_report();
  report.cases.resize(2);
  report.cases[0].status = reports::Status::passed;
  report.cases[1].status = reports::Status::skipped;
  report.cases[1].reason = std::string("tabs\tand\x01 controls");
  const std::string xml = to_junit(report);
  EXPECT_THAT(xml, HasSubstr("failures=\"0\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"tabsand controls\"/>"));
}

}  // namespace
}  // namespace quadpair::reports
