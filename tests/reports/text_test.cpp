#include "reports/text.hpp"

#include <gtest/gtest.h>

namespace quadpair::reports {
namespace {

TEST(Text, KeepsWhatXmlAndHtmlAdmit) {
  EXPECT_EQ(readable("a\tb\nc\rd é – 𝄞"), "a\tb\nc\rd é – 𝄞");
}

// RFC 3629 section 4 (well-formed bytes); XML 1.0 section 2.2 (Char); HTML: no C1 controls.
TEST(Text, ReplacesWhatTheyDoNot) {
  EXPECT_EQ(readable(std::string_view("a\0b\x1b[31m\x7f", 9)), "a\uFFFDb\uFFFD[31m\uFFFD");
  EXPECT_EQ(readable("\xC2\x85"), "\uFFFD");        // C1
  EXPECT_EQ(readable("\xEF\xBF\xBF"), "\uFFFD");    // U+FFFF
  EXPECT_EQ(readable("\xED\xA0\x80"), "\uFFFD");    // a surrogate
  EXPECT_EQ(readable("\xC0\xAF"), "\uFFFD\uFFFD");  // overlong
  EXPECT_EQ(readable("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(readable("x\xE2\x82"), "x\uFFFD\uFFFD");  // cut short
}

TEST(Text, EscapesMarkupAndLineBreaks) {
  EXPECT_EQ(escaped("<a b=\"c\">&'\r\n"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;&#13;&#10;");
}

TEST(Text, IsCutBetweenCharacters) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc…");
  EXPECT_EQ(shortened("aéééé", 6), "aé…");
  EXPECT_EQ(shortened("éééé", 6), "é…");
}

TEST(Text, Numbers) {
  EXPECT_EQ(counted(1, "case"), "1 case");
  EXPECT_EQ(counted(1000, "case"), "1,000 cases");
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(3'044'802'560), "3,044,802,560");
  EXPECT_EQ(signed_grouped(-1000), "−1,000");
  EXPECT_EQ(signed_grouped(999), "+999");
  EXPECT_EQ(gibibytes(3'044'802'560), "2.835693");
  EXPECT_EQ(gibibytes(-761'200'640), "−0.708923");
}

}  // namespace
}  // namespace quadpair::reports
