#include "harness/cli/exit_status.hpp"

#include <gtest/gtest.h>

namespace quadpair::cli {
namespace {

TEST(ExitStatus, EachOutcome) {
  EXPECT_EQ(exit_of({.passed = 3}), Exit::good);
  EXPECT_EQ(exit_of({.passed = 3, .skipped = 2}), Exit::good);
  EXPECT_EQ(exit_of({.failed = 1}), Exit::wrong);
  EXPECT_EQ(exit_of({.skipped = 2}), Exit::nothing_ran);
  EXPECT_EQ(exit_of({}), Exit::nothing_ran);
  EXPECT_EQ(exit_of({.passed = 3, .refused = 1}), Exit::bad_data);
  EXPECT_EQ(exit_of({.passed = 3, .mistrusted = 1}), Exit::undecided);
}

TEST(ExitStatus, TheWorstCounts) {
  EXPECT_EQ(exit_of({.passed = 1, .failed = 1, .skipped = 1, .refused = 1, .mistrusted = 1}), Exit::wrong);
  EXPECT_EQ(exit_of({.passed = 1, .refused = 1, .mistrusted = 1}), Exit::bad_data);
}

}  // namespace
}  // namespace quadpair::cli
