#include "reports/html/markup.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "reports/html.hpp"
#include "reports/html/chart_data.hpp"
#include "tests/reports/example.hpp"

namespace quadpair::reports::html {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Markup, TextIsEscaped) {
  EXPECT_EQ(text("<b>").markup, "&lt;b&gt;");
  EXPECT_EQ(code("a/<b").markup, "<code>a/<wbr>&lt;b</code>");
  EXPECT_EQ(command("a '<b>'").markup, "<pre class=\"command\"><code>a &#39;&lt;b&gt;&#39;</code></pre>");
  EXPECT_TRUE(code("").empty());
}

TEST(Markup, TemplatesAreFilled) {
  EXPECT_EQ(fill("a {{x}} b{{#y}} <{{y}}>{{/y}}{{#z}} gone {{z}}{{/z}}.",
                 {{"x", {"1"}}, {"y", {"{{x}}"}}, {"z", {}}}),
            "a 1 b <{{x}}>.");
  EXPECT_EQ(fill("{{#a}}1{{#b}}2{{/b}}3{{/a}}", {{"a", {"x"}}}), "13");
  EXPECT_THROW(fill("{{x}}", {}), std::logic_error);
  EXPECT_THROW(fill("{{#x}}", {{"x", {"1"}}}), std::logic_error);
}

TEST(Markup, TablesTellHeadsFromValues) {
  Table table("<c>", {{text("name")}, {text("n"), Table::Column::number}});
  EXPECT_TRUE(table.empty());
  table.add({{text("a"), {}, "r1"}, {text("2"), "passed", {}}});
  EXPECT_EQ(table.html().markup,
            "<div class=\"scroll\" role=\"region\" aria-label=\"&lt;c&gt;\" tabindex=\"0\"><table>\n"
            "<caption>&lt;c&gt;</caption>\n"
            "<thead><tr><th scope=\"col\">name</th><th scope=\"col\" class=\"number\">n</th></tr></thead>\n"
            "<tbody>\n<tr id=\"r1\"><th scope=\"row\">a</th><td class=\"number\" "
            "data-status=\"passed\">2</td></tr>\n"
            "</tbody>\n</table></div>\n");
  EXPECT_THROW(table.add({{text("a")}}), std::logic_error);
}

TEST(ChartData, CannotEndItsElement) {
  EXPECT_EQ(script_text({{"a", "</script><!--"}}), "{\"a\":\"\\u003c/script>\\u003c!--\"}");
}

TEST(ChartData, HoldsWhatIsDrawn) {
  Report report = example_report();
  report.cases[0].id = report.timings[0].id;
  report.cases[0].shape = {2, 100, 64, 128};
  const RunSamples samples{report.run.id, {{report.timings[0].id, {{1, 0, 1, 3e-6, 1980, 0, 1}}}}};
  const auto data = chart_data({{{"r.json", report}}, {{"r.h5", samples}}, {}});
  EXPECT_EQ(data["weighted"][0]["points"][0].dump(), R"({"m":8,"ratio":1.5,"low":1.25,"high":1.75})");
  EXPECT_EQ(data["comparisons"][0]["name"], "qpn2_gemm minilm.0.o dual / stream");
  EXPECT_EQ(data["noise"].dump(), R"({"low":1.0,"high":1.0})");
  EXPECT_EQ(data["samples"][0]["samples"].dump(), "[[1,3e-06,1]]");
  // 2 x 2 x 100 x 64 operations on 1,000 bytes in 3 us.
  EXPECT_EQ(data["roofline"]["points"][0]["intensity"], 25.6);
  EXPECT_NEAR(data["roofline"]["points"][0]["rate"].get<double>(), 25600 / 3e-6, 1);
  EXPECT_EQ(data["roofline"]["ceilings"].dump(), "[1000000000000.0]");
  EXPECT_EQ(data["storage"][0]["items"][0].dump(), R"({"name":"qpn2_codes","bytes":[64,0]})");
  // Two counted cases: 12 fp16 each over 2 x 100 x 64 and 2 x 2 x 64 multiply-adds.
  EXPECT_EQ(data["cost"]["rows"].size(), 1u);
  EXPECT_EQ(data["cost"]["kinds"][0]["name"], "fp16");
  EXPECT_NEAR(data["cost"]["kinds"][0]["values"][0].get<double>(), 24.0 * 1024 / (12800 + 256), 1e-12);
}

TEST(Page, HasOnlyThePartsThatThereAre) {
  Report report = example_report();
  report.ledger.reset();
  report.timings.clear();
  report.weighted.clear();
  const std::string page = to_html({{{"r.json", report}}, {}, {}});
  EXPECT_THAT(page, HasSubstr("id=\"correctness\""));
  for (const char* part : {"id=\"ratios\"", "id=\"samples\"", "id=\"roofline\"", "id=\"storage\""})
    EXPECT_THAT(page, Not(HasSubstr(part)));
  const std::string ledger = to_html({{}, {}, {{"l.json", example_report().ledger.value()}}});
  EXPECT_THAT(ledger, HasSubstr("<h1 data-status=\"skipped\">Storage ledger</h1>"));
  EXPECT_THAT(ledger, Not(HasSubstr("id=\"correctness\"")));
}

TEST(Page, KeepsTheLicenceOfWhatItCarries) {
  const std::string page = to_html({});
  EXPECT_THAT(page, HasSubstr("Permission is hereby granted, free of charge"));
  EXPECT_THAT(page, HasSubstr("Chart.js v"));
}

}  // namespace
}  // namespace quadpair::reports::html
