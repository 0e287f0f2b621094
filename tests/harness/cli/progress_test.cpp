#include "harness/cli/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace quadpair::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string shown(bool terminal, bool quiet, std::size_t planned) {
  std::ostringstream err;
  Progress progress(err, terminal, quiet, Style(false), "verify x", planned);
  for (std::size_t i = 0; i < planned; ++i) {
    reports::CaseRecord record;
    record.id = "case" + std::to_string(i);
    record.status = i == 3 ? reports::Status::failed : reports::Status::passed;
    progress.finished(record);
  }
  progress.end();
  return err.str();
}

TEST(Progress, PlainLinesATenthEach) {
  const std::string text = shown(false, false, 100);
  EXPECT_EQ(std::ranges::count(text, '\n'), 11);  // ten tenths and a failure
  EXPECT_THAT(text, HasSubstr("failed case3\n"));
  EXPECT_THAT(text, HasSubstr("verify x: 50/100, 1 failed, "));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
}

TEST(Progress, ABarOnATerminalThatGoesAway) {
  const std::string text = shown(true, false, 10);
  EXPECT_THAT(text, HasSubstr("[###"));
  EXPECT_THAT(text, HasSubstr("\r\033[Kfailed case3\n"));
  EXPECT_TRUE(text.ends_with("\r\033[K"));
}

TEST(Progress, QuietSaysNothing) {
  EXPECT_EQ(shown(false, true, 10), "");
  EXPECT_EQ(shown(true, true, 10), "");
}

}  // namespace
}  // namespace quadpair::cli
