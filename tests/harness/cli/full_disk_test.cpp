// The program on a disk that takes only so much: a limit on the size of files stands for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "reports/journal.hpp"
#include "reports/report_file.hpp"
#include "tests/harness/cli/argument_pointers.hpp"
#include "tests/harness/cli/support.hpp"

namespace quadpair::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

struct Output {
  int status;  ///< as waitpid gives it
  std::string text;
};

/// Runs the program with both of its streams in a pipe; no file grows beyond the limit.
Output run_limited(std::vector<std::string> words, rlim_t most_bytes) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  words.insert(words.begin(), QUADPAIR);
  std::vector<char*> arguments = argument_pointers(words);
  const pid_t pid = fork();
  if (pid == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{most_bytes, most_bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(QUADPAIR, arguments.data());
    _exit(127);
  }
  close(ends[1]);
  Output output{-1, {}};
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = ::read(ends[0], part.data(), part.size())) > 0;)
    output.text.append(part.data(), static_cast<std::size_t>(got));
  close(ends[0]);
  waitpid(pid, &output.status, 0);
  return output;
}

struct Written {
  std::string command, option, file;
};

class FullDisk : public testing::TestWithParam<Written> {
 protected:
  std::vector<std::string> words(const std::vector<std::string>& more = {}) const {
    const Written& w = GetParam();
    std::vector<std::string> words{w.command,  "--device",
                                   "emulator", "--quiet",
                                   "--filter", "^qpn2_gemm/minilm\\.0\\.o/m(1|8|9)/.*/s8\\.c2/sm90/",
                                   w.option,   folder_ / w.file};
    if (w.command == "verify" && w.option == "--hdf5") words.insert(words.end(), {"--save-arrays", "always"});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  /// Status 64, with the file and the cause, and nothing left beside it.
  void expect_says_so(const Output& output, rlim_t limit) const {
    EXPECT_TRUE(WIFEXITED(output.status) && WEXITSTATUS(output.status) == 64)
        << limit << ": " << output.status << output.text;
    EXPECT_THAT(output.text, HasSubstr(GetParam().file)) << limit;
    EXPECT_THAT(output.text, HasSubstr("File too large")) << limit;
    EXPECT_THAT(output.text, Not(HasSubstr("internal error"))) << limit;
    for (const auto& entry : fs::directory_iterator(folder_ / ""))
      EXPECT_NE(entry.path().extension(), ".partial") << entry.path();
  }

  Folder folder_;
};

/// Of a file of that size: more than what the first snapshot takes, and less than any whole run's, however
/// many snapshots it has time for.
rlim_t most_of(std::uintmax_t whole) {
  return whole * 3 / 5;
}

TEST_P(FullDisk, EndsTheRunWithWhatIsKnownAndSaysWhichFile) {
  const std::string file = folder_ / GetParam().file;
  ASSERT_EQ(run_limited(words(), RLIM_INFINITY).status, 0);
  const std::uintmax_t whole = fs::file_size(file);
  const Output late = run_limited(words(), most_of(whole));
  expect_says_so(late, most_of(whole));
  EXPECT_THAT(late.text, HasSubstr(" passed"));  // the table's last line
  EXPECT_THAT(late.text, Not(HasSubstr("report: ")));
  for (const rlim_t limit : {whole / 4, std::uintmax_t{100}}) {
    fs::remove(file);
    expect_says_so(run_limited(words(), limit), limit);
    EXPECT_FALSE(fs::exists(file) && fs::file_size(file) > limit);
  }
}

class JournalOnFullDisk : public FullDisk {};

TEST_P(JournalOnFullDisk, IsKeptAndResumed) {
  const std::string file = folder_ / GetParam().file;
  ASSERT_EQ(run_limited(words(), RLIM_INFINITY).status, 0);
  const rlim_t limit = most_of(fs::file_size(file));
  fs::remove(file);
  const bool is_json = GetParam().option == "--json";
  const std::string report = is_json ? file : folder_ / "other.json";
  std::vector<std::string> more;
  if (!is_json) more = {"--json", report};
  const Output output = run_limited(words(more), limit);
  EXPECT_TRUE(WIFEXITED(output.status) && WEXITSTATUS(output.status) == 64) << output.text;
  const std::string journal = read(report + ".journal");
  EXPECT_GE(reports::read_journal(journal.substr(0, journal.rfind('\n') + 1)).size(), 1u) << output.text;
  EXPECT_NO_THROW(reports::read_report(report));
  if (GetParam().command != "verify") return;
  more.emplace_back("--resume");
  const Output again = run_limited(words(more), RLIM_INFINITY);
  EXPECT_EQ(again.status, 0) << again.text;
  EXPECT_EQ(reports::read_report(report).cases.size(), 3u);
}

std::string name_of(const testing::TestParamInfo<Written>& param) {
  return param.param.command + "_" + param.param.option.substr(2);
}

const std::vector<Written> kept_as_cases_come{{"verify", "--json", "r.json"},
                                              {"verify", "--hdf5", "r.h5"},
                                              {"bench", "--json", "r.json"},
                                              {"bench", "--hdf5", "r.h5"}};

INSTANTIATE_TEST_SUITE_P(Of, FullDisk, testing::ValuesIn(kept_as_cases_come), name_of);
INSTANTIATE_TEST_SUITE_P(OfTheEnd, FullDisk, testing::Values(Written{"verify", "--junit", "r.xml"}), name_of);
INSTANTIATE_TEST_SUITE_P(Of, JournalOnFullDisk, testing::ValuesIn(kept_as_cases_come), name_of);

}  // namespace
}  // namespace quadpair::cli
