#include "harness/compare/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace quadpair::compare {
namespace {

using testing::HasSubstr;
using Bits = std::vector<std::uint16_t>;

const Bits wanted{0x3C00, 0x4000, 0x4200, 0x4400};
const Bits wrong{0x3C00, 0x4000, 0x4200, 0xC400};

TEST(Judge, Passed) {
  const Verdict verdict = judge(std::vector{bitwise("eager", wanted, wanted)}, std::nullopt);
  EXPECT_EQ(verdict.status, Status::passed);
  EXPECT_EQ(verdict.reason, "");
}

TEST(Judge, FailedByAnyCheck) {
  const Verdict verdict =
      judge(std::vector{bitwise("eager", wanted, wanted), bitwise("replay 1", wanted, wrong)}, std::nullopt);
  EXPECT_EQ(verdict.status, Status::failed);
  EXPECT_THAT(verdict.reason, HasSubstr("replay 1: 1 of 4 differ"));
}

TEST(Judge, AFailureIsNotExcusedByMistrust) {
  EXPECT_EQ(judge(std::vector{bitwise("eager", wanted, wrong)}, "constant").status, Status::failed);
}

TEST(Judge, Mistrusted) {
  const Verdict verdict = judge(std::vector{bitwise("eager", wanted, wanted)}, "constant");
  EXPECT_EQ(verdict.status, Status::mistrusted);
  EXPECT_EQ(verdict.reason, "constant");
}

TEST(Judge, NothingComparedIsNotPassed) {
  EXPECT_EQ(judge({}, std::nullopt).status, Status::mistrusted);
  EXPECT_EQ(judge(std::vector{bitwise("eager", Bits{}, Bits{})}, std::nullopt).status, Status::mistrusted);
}

TEST(Describe, NamesPlaceBitsAndValues) {
  Check check = bitwise("eager", wanted, wrong);
  EXPECT_EQ(describe(check), "eager: 1 of 4 differ, first at 3: expected 0x4400 (4), got 0xc400 (-4)");
  check.columns = 2;
  EXPECT_EQ(describe(check), "eager: 1 of 4 differ, first at [1, 1]: expected 0x4400 (4), got 0xc400 (-4)");
}

TEST(Describe, NamesTheBound) {
  const Check check = within_bound("oracle", std::vector{2.0}, std::vector{0.25}, Bits{0x3C00});
  EXPECT_THAT(describe(check),
              HasSubstr("expected 0x4000000000000000 (2), got 0x3c00 (1), allowed error 0.25"));
}

}  // namespace
}  // namespace quadpair::compare
