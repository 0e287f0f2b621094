#include "cases/measured_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class File {
 public:
  explicit File(const std::string& text) : name_("rows-test-" + std::to_string(getpid()) + ".txt") {
    std::ofstream(name_) << text;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { std::filesystem::remove(name_); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

std::string refusal(const std::string& text) {
  const File file(text);
  try {
    read_measured_rows(file.name());
  } catch (const DataError& e) {
    EXPECT_THAT(e.what(), HasSubstr(file.name() + ": "));
    return e.what();
  }
  return "accepted";
}

const std::string row = "3c00 0001 8000 7C00 0400 fbff 3555 0000 3f800000 BF800001\n";

TEST(MeasuredRows, ReadsColumns) {
  const File file("# comment\n\n  # another\n" + row + "\t" + row.substr(0, row.size() - 1) + " \r\n");
  const MeasuredRows read = read_measured_rows(file.name());
  EXPECT_EQ(read.width, 4u);
  ASSERT_EQ(read.rows.size(), 2u);
  MeasuredRow expected;
  expected.a = {0x3C00, 0x0001, 0x8000, 0x7C00};
  expected.b = {0x0400, 0xFBFF, 0x3555, 0x0000};
  expected.c = 0x3F800000, expected.d = 0xBF800001;
  EXPECT_EQ(read.rows[0], expected);
  EXPECT_EQ(read.rows[1], expected);
}

TEST(MeasuredRows, WidthByTheNumberOfColumns) {
  for (const std::size_t width : {4u, 8u, 16u}) {
    std::string text;
    for (std::size_t i = 0; i < 2 * width; ++i) text += "3c00 ";
    EXPECT_EQ(read_measured_rows(File(text + "00000000 3f800000").name()).width, width);
  }
}

TEST(MeasuredRows, NamesLineColumnAndValue) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = row;
    return "# comment\n" + row + text.replace(text.find(from), from.size(), to);
  };
  EXPECT_THAT(refusal(with("8000", "8x00")), HasSubstr("line 3, column 3, \"8x00\": not 4 hex digits"));
  EXPECT_THAT(refusal(with("fbff", "fbf")), HasSubstr("line 3, column 6, \"fbf\": not 4 hex digits"));
  EXPECT_THAT(refusal(with("3555", "-555")), HasSubstr("line 3, column 7, \"-555\""));
  EXPECT_THAT(refusal(with("3c00", "0x3c")), HasSubstr("line 3, column 1, \"0x3c\""));
  EXPECT_THAT(refusal(with("3f800000", "1.0")), HasSubstr("line 3, column 9, \"1.0\": not 8 hex digits"));
  EXPECT_THAT(refusal(with("BF800001", "bf80000100")), HasSubstr("line 3, column 10, \"bf80000100\""));
}

TEST(MeasuredRows, RefusesOtherNumbersOfColumns) {
  const std::string shorter = row.substr(0, row.size() - 10) + "\n";
  EXPECT_THAT(refusal(shorter),
              AllOf(HasSubstr("line 1, column 9, \"3f800000\""), HasSubstr("10, 18 or 34")));
  EXPECT_THAT(refusal(row + shorter),
              AllOf(HasSubstr("line 2, column 9, \"3f800000\""), HasSubstr("the rows before have 10")));
  EXPECT_THAT(refusal("3c00\n"), HasSubstr("line 1, column 1, \"3c00\""));
}

TEST(MeasuredRows, RefusesFilesWithoutRows) {
  EXPECT_THAT(refusal("# nothing\n"), HasSubstr("no rows"));
  EXPECT_THAT(refusal(""), HasSubstr("no rows"));
  for (const std::string name : {"no-such-file.txt", "."}) {
    try {
      read_measured_rows(name);
      FAIL() << name;
    } catch (const DataError& e) {
      EXPECT_EQ(e.what(), name + ": cannot be read");
    }
  }
}

}  // namespace
}  // namespace quadpair::cases
