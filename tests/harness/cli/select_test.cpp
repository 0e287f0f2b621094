#include "harness/cli/select.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

namespace quadpair::cli {
namespace {

using testing::ElementsAre;

TEST(Rows, ListsAndRanges) {
  EXPECT_THAT(parse_numbers("8"), ElementsAre(8));
  EXPECT_THAT(parse_numbers("33,1,8"), ElementsAre(1, 8, 33));
  EXPECT_THAT(parse_numbers("1,16-18"), ElementsAre(1, 16, 17, 18));
  EXPECT_THAT(parse_numbers("0"), ElementsAre(0));
  EXPECT_THAT(parse_numbers("4294967294-4294967295"), ElementsAre(4294967294u, 4294967295u));
}

TEST(Rows, RefusesAnythingElse) {
  for (const char* text :
       {"", ",", "1,", "x", "1-", "-1", "3-1", "1 ,2", "1.5", "99999999999", "0-4294967295"})
    EXPECT_THROW(parse_numbers(text), std::invalid_argument) << text;
}

TEST(Rows, SayWhatIsWrong) {
  const auto complaint = [](const char* text) -> std::string {
    try {
      parse_numbers(text);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_THAT(complaint("1,99999999999"),
              testing::HasSubstr("\"99999999999\" in \"1,99999999999\" is too large"));
  EXPECT_THAT(complaint("1,x"), testing::HasSubstr("\"x\" in \"1,x\" is no number"));
}

TEST(Select, NarrowsByEachOption) {
  const std::size_t all = select({}).cases.size();
  ASSERT_GT(all, 0u);
  Selection selection;
  selection.rows = "17";
  selection.model = "hopper";
  selection.filter = "minilm\\.0\\.(o|up)/";
  const auto left = select(selection).cases;
  EXPECT_GT(left.size(), 0u);
  EXPECT_LT(left.size(), all);
  for (const cases::Case& c : left) {
    EXPECT_EQ(c.m, 17u);
    EXPECT_EQ(c.model, "hopper");
    EXPECT_TRUE(c.slice == "minilm.0.o" || c.slice == "minilm.0.up") << c.slice;
  }
}

TEST(Select, FilterIsFoundAnywhereInTheId) {
  Selection selection;
  selection.filter = "sm90/hopper";
  const auto left = select(selection).cases;
  ASSERT_FALSE(left.empty());
  for (const cases::Case& c : left) EXPECT_EQ(c.target, "sm90");
}

TEST(Select, ExpressionsThatWouldBacktrackForEverEnd) {
  Selection selection;
  for (const char* filter : {"(a+)+$x", "(.*)*x", "(([a-z0-9/.])+)+!", "(.*.*.*.*.*.*)*!"}) {
    selection.filter = filter;
    const auto begun = std::chrono::steady_clock::now();
    select(selection);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20)) << filter;
  }
}

TEST(Select, AWrongExpressionIsNamed) {
  Selection selection;
  for (const char* filter :
       {"(", "[a", "a{2,1}", "*", "\\", "(?=a)", "(a)\\1", "((((a{1000}){1000}){1000}))", "\xff"}) {
    selection.filter = filter;
    try {
      select(selection);
      ADD_FAILURE() << filter;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(filter));
    }
  }
}

}  // namespace
}  // namespace quadpair::cli
