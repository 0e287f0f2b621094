#include "reports/markdown.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html.hpp"
#include "reports/markdown_table.hpp"
#include "tests/reports/example.hpp"
#include "tests/reports/large.hpp"

namespace quadpair::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Lt;
using testing::Not;
using testing::StartsWith;

Collection of(const Report& report) {
  return {{{"r.json", report}}, {}, {}};
}

TEST(Markdown, HasThePartsInTheirOrder) {
  const std::string text = to_markdown(of(example_report()));
  std::size_t at = 0;
  for (const char* part :
       {"### ❌ Quadpair: 3 cases: 1 failed, 1 refused, 1 mistrusted\n",
        "2 comparisons: 1 slower, 1 ambiguous", "interrupted by SIGTERM", "#### Not passed", "#### Ratios",
        "| 8 | 1.500 (1.250–1.750) |", "<details>\n<summary>2 comparisons", "<summary>Correctness",
        "#### Storage of the weights", "<summary>Environment</summary>"}) {
    const std::size_t found = text.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << " in\n" << text;
    at = found;
  }
}

TEST(Markdown, LedgerIsHeldAgainstThePolicyThatTakesMost) {
  const std::string text = to_markdown(of(example_report()));
  EXPECT_THAT(text,
              HasSubstr("| over all ranks | `dual` GiB | `compact` GiB | `compact` − `dual` bytes (GiB) |"));
  EXPECT_THAT(text, HasSubstr("| `total` | 0.000000 | 0.000000 | −40 (−0.000000) |"));
}

TEST(Markdown, APassedReportIsShort) {
  Report report = example_report();
  report.cases.resize(1);
  report.cases[0].status = Status::passed;
  report.run.interrupted.reset();
  report.timings.clear();
  report.weighted.clear();
  report.ledger.reset();
  const std::string text = to_markdown(of(report));
  EXPECT_THAT(text, StartsWith("### ✅ Quadpair: 1 case: all passed\n\n<details>\n<summary>Correctness"));
  EXPECT_THAT(text, AllOf(Not(HasSubstr("Not passed")), Not(HasSubstr("Ratios")), Not(HasSubstr("Storage"))));
}

TEST(Markdown, TextOfReportsIsNoMarkupAndCallsNobody) {
  Report report = example_report();
  report.cases[0].reason = "a | b\n`c` <script> @someone";
  report.run.device.name = "``";
  const std::string text = to_markdown(of(report));
  EXPECT_THAT(text, HasSubstr("| ``a \\| b `c` <script> @someone`` |"));
  EXPECT_THAT(text, HasSubstr("| ``` `` ``` |"));
  EXPECT_EQ(markdown_text("<b> @me\n#1 a_b"), "\\<b\\> @\u2060me \\#1 a\\_b");
  EXPECT_EQ(markdown_code(""), "");
}

TEST(Markdown, StaysBelowTheLimitHoweverManyCases) {
  const std::string text = to_markdown(of(large_report(100'000)));
  EXPECT_THAT(text.size(), Lt(markdown_limit));
  EXPECT_THAT(text, HasSubstr("### ❌ Quadpair: 100,000 cases: 50,000 failed, 50,000 passed\n"));
  for (const char* left_out :
       {" cases not shown here.", " comparisons not shown here.", " rows not shown here."})
    EXPECT_THAT(text, HasSubstr(left_out));
  EXPECT_THAT(text, HasSubstr("<summary>Environment</summary>"));
}

TEST(Markdown, StaysBelowTheLimitHoweverManyInputs) {
  Collection collection;
  for (int i = 0; i < 500; ++i) {
    Report report = large_report(20);
    report.ledger = example_report().ledger;
    report.ledger->tp = static_cast<std::uint32_t>(i + 1);
    collection.runs.push_back({std::string(1000, 'f'), report});
  }
  const std::string text = to_markdown(collection);
  EXPECT_THAT(text.size(), Lt(markdown_limit));
  for (const char* left_out : {" remarks not shown here.", " columns not shown here.",
                               " ledgers not shown here.", " runs not shown here."})
    EXPECT_THAT(text, HasSubstr(left_out));
}

TEST(Html, StaysOfABoundedSizeHoweverManyCases) {
  const std::string page = to_html(of(large_report(100'000)));
  EXPECT_THAT(page.size(), Lt(std::size_t{32} << 20));  // a case a cell of the matrix, with a kilobyte of text
  EXPECT_THAT(page, HasSubstr("cases not listed here."));
  EXPECT_THAT(page, HasSubstr("49,900 cases not shown here."));
  EXPECT_THAT(page, HasSubstr("99,000 comparisons not shown here."));
}

}  // namespace
}  // namespace quadpair::reports
