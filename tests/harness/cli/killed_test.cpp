// The program, killed at any moment, and what its files are then.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <set>
#include <thread>

#include "reports/hdf5_read.hpp"
#include "reports/journal.hpp"
#include "reports/report_file.hpp"
#include "tests/harness/cli/argument_pointers.hpp"
#include "tests/harness/cli/hdf5_contents.hpp"
#include "tests/harness/cli/support.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

class Killed : public testing::TestWithParam<std::vector<std::string>> {
 protected:
  std::vector<std::string> words(const std::string& name) const {
    std::vector<std::string> words{QUADPAIR,
                                   "verify",
                                   "--device",
                                   "emulator",
                                   "--quiet",
                                   "--jobs",
                                   "1",
                                   "--filter",
                                   "^qpn2_gemm/minilm\\.0\\.o/m(1|8|9)/",
                                   "--json",
                                   folder_ / (name + ".json"),
                                   "--hdf5",
                                   folder_ / (name + ".h5"),
                                   "--save-arrays",
                                   "always"};
    words.insert(words.end(), GetParam().begin(), GetParam().end());
    return words;
  }

  static pid_t start(std::vector<std::string> words) {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    std::vector<char*> arguments = argument_pointers(words);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    execv(QUADPAIR, arguments.data());
    _exit(127);
  }

  static int wait(pid_t pid) {
    int status = -1;
    waitpid(pid, &status, 0);
    return status;
  }

  /// Whatever is there is whole.
  void expect_readable(const std::string& name) const {
    const std::string report = folder_ / (name + ".json"), arrays = folder_ / (name + ".h5");
    if (fs::exists(report)) {
      EXPECT_EQ(reports::violations(read_json(report)), "");
      EXPECT_NO_THROW(reports::read_report(report));
    }
    if (!fs::exists(arrays)) return;
    EXPECT_NO_THROW(hdf5_contents(arrays));
    const auto reads = [&](const std::string& command) {
      EXPECT_EQ(std::system((command + " > /dev/null").c_str()), 0) << command;
    };
    if (*H5DUMP != '\0') reads(fmt::format("{} {}", H5DUMP, arrays));
    if (*PYTHON_WITH_H5PY != '\0')
      reads(
          fmt::format("{} -c 'import h5py; [(c.attrs[\"id\"], c[\"actual\"][:]) for c in h5py.File(\"{}\")"
                      "[\"cases\"].values()]'",
                      PYTHON_WITH_H5PY, arrays));
  }

  std::size_t finished(const std::string& name) const {
    const std::string lines = read(folder_ / (name + ".json.journal"));
    return static_cast<std::size_t>(std::ranges::count(lines, '\n'));
  }

  Folder folder_;
};

json lasting(json report) {
  for (const char* member : {"id", "started", "finished", "command", "hdf5"}) report["run"].erase(member);
  for (json& record : report["cases"]) record.erase("seconds");
  return report;
}

TEST_P(Killed, FilesAreReadableAndTheRunGoesOnWithoutRepeating) {
  const Clock::time_point begun = Clock::now();
  ASSERT_EQ(wait(start(words("whole"))), 0);
  const auto whole_time = std::chrono::duration<double>(Clock::now() - begun).count();
  const std::size_t cases = finished("whole");
  ASSERT_GT(cases, 5u);

  const unsigned seed = std::random_device()();
  SCOPED_TRACE(fmt::format("moments by seed {}", seed));
  std::minstd_rand random(seed);
  std::uniform_real_distribution<double> moment(0.1 * whole_time, 0.6 * whole_time);
  std::vector<std::string> resumed = words("killed");
  resumed.emplace_back("--resume");
  std::size_t before = 0;
  for (int kills = 0; kills < 4 && before < cases; ++kills) {
    const pid_t pid = start(resumed);
    std::this_thread::sleep_for(std::chrono::duration<double>(moment(random)));
    kill(pid, SIGKILL);
    wait(pid);
    expect_readable("killed");
    EXPECT_GE(finished("killed"), before);
    before = finished("killed");
  }
  ASSERT_EQ(wait(start(resumed)), 0);
  expect_readable("killed");

  EXPECT_EQ(lasting(read_json(folder_ / "killed.json")), lasting(read_json(folder_ / "whole.json")));
  EXPECT_EQ(hdf5_contents(folder_ / "killed.h5"), hdf5_contents(folder_ / "whole.h5"));
  const auto journal = reports::read_journal(read(folder_ / "killed.json.journal"));
  std::set<std::string> ids;
  for (const auto& [run, record] : journal) EXPECT_TRUE(ids.insert(record.id).second) << record.id;
  EXPECT_EQ(ids.size(), cases);
  EXPECT_FALSE(fs::exists(folder_ / "killed.h5.journal"));
  for (const auto& entry : fs::directory_iterator(folder_ / ""))
    EXPECT_NE(entry.path().extension(), ".partial") << entry.path();
}

INSTANTIATE_TEST_SUITE_P(InThisProcessOrWorkers, Killed,
                         testing::Values(std::vector<std::string>{}, std::vector<std::string>{"--isolate"}),
                         [](const auto& param) { return param.param.empty() ? "here" : "isolated"; });

}  // namespace
}  // namespace quadpair::cli
