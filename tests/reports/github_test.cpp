#include "reports/github.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/reports/example.hpp"
#include "tests/reports/large.hpp"

namespace quadpair::reports {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string annotations_of(const Report& report) {
  return github_annotations({{{"r.json", report}}, {}, {}});
}

TEST(Github, FailuresPointAtTheKernelsSource) {
  EXPECT_THAT(
      annotations_of(example_report()),
      StartsWith("::error file=kernels/qpn2/gemm.cu,title=failed "
                 "qpn2_gemm/minilm.0.o/m2/dual/s8.c2/sm70/volta/real::eager: 1 of 4 differ%0Arepeat: "));
}

TEST(Github, TheLastKernelOfARouteIsMeant) {
  Report report = example_report();
  report.cases.resize(1);
  report.cases[0].route = "convert/pack_qpn2:pack_qpn2@sm90 + wide/tm_gemm:tm_gemm_64x128@sm90";
  EXPECT_THAT(annotations_of(report), StartsWith("::error file=kernels/wide/tm_gemm.cu,"));
}

TEST(Github, RefusedAreErrorsWithoutASourceAndMistrustedWarnings) {
  const std::string text = annotations_of(example_report());
  EXPECT_THAT(text, HasSubstr("\n::error title=refused qpn2_gemm/none/"));
  EXPECT_THAT(text, HasSubstr("\n::warning file=kernels/qpn2/gemm.cu,title=mistrusted "));
}

// The rules of @actions/core: data escapes % CR LF, properties : and , too.
TEST(Github, EscapesWhatWouldEndACommand) {
  Report report = example_report();
  report.cases.resize(1);
  report.cases[0].id = "a:b,c%\r\n::error::x";
  report.cases[0].reason = "50%\r\n::error::y, z";
  report.cases[0].repro = "r";
  report.cases[0].route.clear();
  EXPECT_EQ(
      annotations_of(report),
      "::error title=failed a%3Ab%2Cc%25%0D%0A%3A%3Aerror%3A%3Ax::50%25%0D%0A::error::y, z%0Arepeat: r\n");
}

TEST(Github, NoMoreThanAreShown) {
  const std::string text = annotations_of(large_report(100));
  EXPECT_EQ(std::ranges::count(text, '\n'), static_cast<std::ptrdiff_t>(most_annotations));
  EXPECT_THAT(text, HasSubstr("\n::error title=Quadpair::50 cases in all; the first 9 are shown\n"));
}

}  // namespace
}  // namespace quadpair::reports
