#include "harness/compare/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "harness/compare/check.hpp"

namespace quadpair::compare {
namespace {

using reports::Status;
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

}  // namespace
}  // namespace quadpair::compare
