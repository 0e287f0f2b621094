#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/harness/cli/support.hpp"

namespace quadpair::cli {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const std::string h200 = QUADPAIR_TEST_DATA "/../reports/baselines/h200/";

class ReportCommand : public testing::Test {
 protected:
  /// With a step summary.
  Result report(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"quadpair", "report"});
    std::ostringstream out, err;
    Environment environment{out, err};
    environment.step_summary = summary_;
    const int status = run(arguments, environment);
    return {status, out.str(), err.str()};
  }

  const Folder folder_;
  std::string summary_;
};

TEST_F(ReportCommand, WritesWhatIsAskedFor) {
  const std::string markdown = folder_ / "r.md", html = folder_ / "r.html", junit = folder_ / "r.xml";
  const Result result = report({h200 + "bench-stream.json", h200 + "bench-stream.h5", "--markdown", markdown,
                                "--html", html, "--junit", junit});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "report: " + markdown + "\nreport: " + html + "\nreport: " + junit + "\n");
  EXPECT_THAT(read(markdown),
              AllOf(HasSubstr("### ✅ Quadpair: 21 cases: all passed"), HasSubstr("1.351 (1.349–1.355)")));
  EXPECT_THAT(read(html),
              AllOf(HasSubstr("21 cases: all passed"), HasSubstr("id=\"samples\""), EndsWith("</html>\n")));
  EXPECT_THAT(read(junit), HasSubstr("tests=\"21\" failures=\"0\""));
}

TEST_F(ReportCommand, MergesRunsAndSaysWhichIsWhich) {
  const std::string markdown = folder_ / "r.md";
  ASSERT_EQ(report({h200 + "bench-stream.json", h200 + "bench-cublas.json", "--markdown", markdown}).status,
            0);
  const std::string text = read(markdown);
  EXPECT_THAT(text, AllOf(HasSubstr("### ✅ Quadpair: 42 cases: all passed"),
                          HasSubstr("21 case ids occur in more than one run"),
                          HasSubstr("`projections/sm90/hopper/stream (run 1)`"),
                          HasSubstr("`projections/sm90/hopper/cublas (run 2)`")));
}

TEST_F(ReportCommand, TakesALedgerAlone) {
  const std::string ledger = folder_ / "l.json", markdown = folder_ / "r.md";
  const std::string model = QUADPAIR_TEST_DATA "/../cases/models/production-27b";
  ASSERT_EQ(call({"ledger", model, "--tp", "4", "--against", "shared", "--json", ledger}).status, 0);
  ASSERT_EQ(report({ledger, "--markdown", markdown}).status, 0);
  EXPECT_THAT(read(markdown), HasSubstr("(−7.572021) |"));
  const Result junit = report({ledger, "--junit", folder_ / "r.xml"});
  EXPECT_EQ(junit.status, 64);
  EXPECT_THAT(junit.err, HasSubstr("--junit: no input holds cases"));
}

TEST_F(ReportCommand, RefusesWhatItCannotRead) {
  const std::string out = folder_ / "r.md";
  const auto complaint = [&](const std::vector<std::string>& files) {
    std::vector<std::string> arguments = files;
    arguments.insert(arguments.end(), {"--markdown", out});
    const Result result = report(arguments);
    EXPECT_EQ(result.status, 65);
    return result.err;
  };
  EXPECT_THAT(complaint({folder_ / "none.json"}), HasSubstr("none.json"));
  write(folder_ / "text", "not JSON");
  EXPECT_THAT(complaint({folder_ / "text"}), HasSubstr("neither JSON nor HDF5"));
  write(folder_ / "other.json", "[1]");
  EXPECT_THAT(complaint({folder_ / "other.json"}), HasSubstr("neither a report nor a ledger"));
  write(folder_ / "later.json", R"({"schema":"quadpair.report/9"})");
  EXPECT_THAT(complaint({folder_ / "later.json"}), HasSubstr("/schema: no quadpair.report/1"));
  write(folder_ / "broken.h5", "\x89HDF\r\n\x1a\n and no more");
  EXPECT_THAT(complaint({folder_ / "broken.h5"}), HasSubstr("broken.h5: opening"));
  EXPECT_THAT(complaint({h200 + "bench-cublas.json", h200 + "bench-stream.h5"}),
              HasSubstr("whose report is not among the files"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(ReportCommand, NeedsSomethingToWriteAndDestroysNoInput) {
  EXPECT_THAT(report({h200 + "default.json"}).err, HasSubstr("nothing to write"));
  write(folder_ / "r.json", "{}");
  const Result result = report({folder_ / "r.json", "--html", folder_ / "r.json"});
  EXPECT_EQ(result.status, 64);
  EXPECT_THAT(result.err, HasSubstr("name the same file"));
  EXPECT_EQ(report({h200 + "bench-stream.json", "--html", folder_ / "no/r.html"}).status, 64);
}

TEST_F(ReportCommand, GithubGetsAnnotationsAndTheStepSummary) {
  summary_ = folder_ / "summary.md";
  write(summary_, "before\n");
  nlohmann::json failed = read_json(h200 + "bench-stream.json");
  failed["cases"][0]["status"] = "failed";
  failed["summary"]["failed"] = 1;
  failed["summary"]["passed"] = 20;
  write(folder_ / "failed.json", failed.dump());
  const Result result = report({folder_ / "failed.json", "--github"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out,
              testing::StartsWith("::error file=kernels/qpn2/gemm.cu,title=failed qpn2_gemm/gdn_in/"));
  EXPECT_THAT(read(summary_), testing::StartsWith("before\n### ❌ Quadpair: 21 cases: 1 failed, 20 passed\n"));
}

TEST_F(ReportCommand, AStepSummaryIsNeverMadeTooLarge) {
  summary_ = folder_ / "summary.md";
  write(summary_, std::string((1 << 20) - 100, 'x'));
  const Result result = report({h200 + "bench-stream.json", "--github"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.err, HasSubstr("the report is not added"));
  EXPECT_THAT(read(summary_), Not(HasSubstr("Quadpair")));
}

}  // namespace
}  // namespace quadpair::cli
