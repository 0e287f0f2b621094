#include "reports/check.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace quadpair::reports {
namespace {

TEST(ValueOfPattern, TellsBytesHalvesAndDoublesByTheirDigits) {
  EXPECT_EQ(value_of_pattern("0xff"), 255);
  EXPECT_EQ(value_of_pattern("0x3c00"), 1);
  EXPECT_EQ(value_of_pattern("0x0001"), 0x1p-24);
  EXPECT_EQ(value_of_pattern("0xc000000000000000"), -2);
  for (const char* wrong : {"", "0x", "3c00", "0x3c0", "0x3c0g", "0x+3ff", "0x00000000000000000"})
    EXPECT_THROW(value_of_pattern(wrong), std::invalid_argument) << wrong;
}

Check one_wrong(Mismatch first) {
  return {"eager", Kind::bitwise, 4, 1, std::move(first), "", "", 0};
}

TEST(Describe, NamesPlaceBitsAndValues) {
  Check check = one_wrong(mismatch(3, "0x4400", "0xc400"));
  EXPECT_EQ(describe(check), "eager: 1 of 4 differ, first at 3: expected 0x4400 (4), got 0xc400 (-4)");
  check.columns = 2;
  EXPECT_EQ(describe(check), "eager: 1 of 4 differ, first at [1, 1]: expected 0x4400 (4), got 0xc400 (-4)");
}

TEST(Describe, NamesTheBound) {
  EXPECT_EQ(describe(one_wrong(mismatch(0, "0x4000000000000000", "0x3c00", 0.25))),
            "eager: 1 of 4 differ, first at 0: expected 0x4000000000000000 (2), got 0x3c00 (1), "
            "allowed error 0.25");
}

}  // namespace
}  // namespace quadpair::reports
