#include "reports/report_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "reports/atomic_file.hpp"
#include "reports/journal.hpp"
#include "reports/json_read.hpp"
#include "tests/reports/example.hpp"

namespace quadpair::reports {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class ReportFileTest : public testing::Test {
 protected:
  ReportFileTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ReportFileTest() override { fs::remove_all(folder_); }

  std::string read(const fs::path& file) const {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
    return names;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("quadpair-" + std::to_string(getpid()) +
                                      testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(ReportFileTest, JournalHasOneLineACaseAtOnce) {
  const Report report = example_report();
  ReportFile file(folder_ / "r.json");
  for (std::size_t i = 0; i < report.cases.size(); ++i) {
    file.journal(report.cases[i]);
    std::stringstream lines(read(folder_ / "r.json.journal"));
    std::string line, last;
    std::size_t count = 0;
    for (; std::getline(lines, line); last = line) ++count;
    EXPECT_EQ(count, i + 1);
    EXPECT_EQ(json::parse(last)["id"], report.cases[i].id);
  }
  EXPECT_FALSE(fs::exists(folder_ / "r.json"));
}

TEST_F(ReportFileTest, SnapshotsReplaceOneAnother) {
  Report report = example_report();
  ReportFile file(folder_ / "r.json");
  file.snapshot(report);
  EXPECT_EQ(json::parse(read(folder_ / "r.json"))["cases"].size(), 3u);
  report.cases.pop_back();
  file.snapshot(report);
  EXPECT_EQ(json::parse(read(folder_ / "r.json"))["cases"].size(), 2u);
  EXPECT_THAT(names(), testing::UnorderedElementsAre("r.json", "r.json.journal"));
}

TEST_F(ReportFileTest, ANewRunBeginsANewJournal) {
  ReportFile(folder_ / "r.json").journal(example_report().cases[0]);
  const ReportFile again(folder_ / "r.json");
  EXPECT_EQ(read(folder_ / "r.json.journal"), "");
}

TEST_F(ReportFileTest, AJournalOfAnotherRunIsRefused) {
  Report report = example_report();
  const std::string other = report.run.id + "x";
  {
    ReportFile file(folder_ / "r.json");
    file.snapshot(report);
    file.journal(report.cases[0]);
  }
  EXPECT_EQ(ReportFile(folder_ / "r.json", Contents::kept).resume()->cases.size(), 3u);
  std::ofstream(folder_ / "r.json.journal", std::ios::app) << journal_line(other, report.cases[1]);
  ReportFile again(folder_ / "r.json", Contents::kept);
  try {
    again.resume();
    FAIL() << "taken";
  } catch (const ReadError& e) {
    EXPECT_THAT(e.what(), testing::AllOf(testing::HasSubstr("r.json.journal: "),
                                         testing::HasSubstr("is of run " + other)));
  }
}

TEST_F(ReportFileTest, AJournalWithoutItsReportIsRefusedAndKept) {
  std::ofstream(folder_ / "r.json.journal") << "of somebody";
  EXPECT_THROW(ReportFile(folder_ / "r.json", Contents::kept).resume(), ReadError);
  EXPECT_EQ(read(folder_ / "r.json.journal"), "of somebody");
}

TEST_F(ReportFileTest, AFolderIsNoReport) {
  try {
    read_report(folder_);
    FAIL() << "read";
  } catch (const ReadError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("a folder, not a report"));
  }
}

TEST_F(ReportFileTest, TextThatIsNotUtf8DoesNotCostTheReport) {
  Report report = example_report();
  report.cases[0].reason = "broken \xff byte";
  ReportFile(folder_ / "r.json").snapshot(report);
  EXPECT_EQ(json::parse(read(folder_ / "r.json"))["cases"].size(), 3u);
}

TEST_F(ReportFileTest, RefusesWhatCannotBeWrittenAndLeavesNothing) {
  try {
    const ReportFile file(folder_ / "no" / "r.json");
    FAIL() << "opened";
  } catch (const std::system_error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr((folder_ / "no").string() + " is no folder"));
  }
  EXPECT_THROW(ReportFile{folder_}, std::system_error);
  EXPECT_TRUE(names().empty());
}

TEST_F(ReportFileTest, AFailedWriteKeepsTheOldFile) {
  const fs::path file = folder_ / std::string(250, 'f');  // no longer name fits beside it
  std::ofstream(file) << "old";
  EXPECT_THROW(write_atomically(file, "new"), std::system_error);
  EXPECT_EQ(read(file), "old");
}

TEST_F(ReportFileTest, TwoRunsDoNotShareAFile) {
  ReportFile first(folder_ / "r.json");
  first.journal(example_report().cases[0]);
  const std::string journal = read(folder_ / "r.json.journal");
  EXPECT_THROW(ReportFile(folder_ / "r.json"), std::system_error);
  EXPECT_EQ(read(folder_ / "r.json.journal"), journal);
}

TEST_F(ReportFileTest, DevicesPipesAndLinksAreNotReplaced) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(require_writable(folder_ / "pipe"), std::system_error);
  EXPECT_THROW(write_atomically(folder_ / "pipe", "new"), std::system_error);
  EXPECT_TRUE(fs::is_fifo(folder_ / "pipe"));
  EXPECT_THROW(require_writable("/dev/null"), std::system_error);

  write_atomically(folder_ / "f", "old");
  fs::create_symlink("f", folder_ / "link");
  write_atomically(folder_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read(folder_ / "f"), "new");
  EXPECT_THAT(names(), testing::UnorderedElementsAre("pipe", "f", "link"));
}

}  // namespace
}  // namespace quadpair::reports
