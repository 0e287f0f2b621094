// The program as processes, on a GPU that goes wrong.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "reports/journal.hpp"
#include "reports/json_read.hpp"
#include "tests/harness/cli/argument_pointers.hpp"
#include "tests/harness/cli/support.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::cli {
namespace {

using namespace std::chrono_literals;
using reports::CaseRecord;
using testing::HasSubstr;
using testing::StartsWith;

/// Three cases; the one of nine rows goes wrong.
const std::vector<std::string> three_cases{"--filter",
                                           "^qpn2_gemm/minilm\\.0\\.o/m(1|9|17)/.*/s8\\.c2/sm90/"};

class FaultyGpu : public testing::Test {
 protected:
  FaultyGpu() { prctl(PR_SET_CHILD_SUBREAPER, 1); }  // orphans become children of the test

  /// Starts the program; its output goes to files named after `name`.
  pid_t start(const std::string& fault, const std::string& name, std::vector<std::string> words) const {
    words.insert(words.begin(), FAULTY_GPU);
    const pid_t pid = fork();
    if (pid != 0) return pid;
    setenv("QUADPAIR_TEST_FAULT", fault.c_str(), 1);
    std::vector<char*> arguments = argument_pointers(words);
    const auto into = [&](int stream, const std::string& suffix) {
      dup2(open((folder_ / (name + suffix)).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), stream);
    };
    into(STDOUT_FILENO, ".out");
    into(STDERR_FILENO, ".err");
    if (chdir((folder_ / "").c_str()) == 0) execv(FAULTY_GPU, arguments.data());
    _exit(127);
  }

  static int wait(pid_t pid) {
    int status = -1;
    waitpid(pid, &status, 0);
    return status;
  }

  /// The exit status of a whole run of the three cases.
  int run(const std::string& fault, std::vector<std::string> more = {},
          const std::string& command = "verify") const {
    std::vector<std::string> words{command, "--json", "r.json", "--quiet"};
    words.insert(words.end(), three_cases.begin(), three_cases.end());
    words.insert(words.end(), more.begin(), more.end());
    const int status = wait(start(fault, "run", words));
    EXPECT_TRUE(WIFEXITED(status)) << status;
    return WEXITSTATUS(status);
  }

  /// Starts a run of the three cases and waits until it hangs in the second, or a slow one has done the
  /// first.
  pid_t start_hanging(const std::string& command = "verify", const std::string& fault = "hang") const {
    std::vector<std::string> words{command, "--json", "h.json", "--quiet"};
    words.insert(words.end(), three_cases.begin(), three_cases.end());
    const pid_t pid = start(fault, "hanging", words);
    const std::string sign = folder_ / (fault == "hang" ? "hanging" : "h.json.journal");
    for (int i = 0; i < 1200 && read(sign).empty(); ++i) std::this_thread::sleep_for(50ms);
    EXPECT_EQ(journal("h").size(), 1u) << read(folder_ / "hanging.err");
    return pid;
  }

  std::vector<CaseRecord> journal(const std::string& name) const {
    std::vector<CaseRecord> records;
    for (reports::JournalEntry& entry : reports::read_journal(read(folder_ / (name + ".json.journal"))))
      records.push_back(std::move(entry.record));
    return records;
  }

  reports::Report report(const std::string& name) const {
    const std::string text = read(folder_ / (name + ".json"));
    EXPECT_EQ(reports::violations(nlohmann::json::parse(text)), "");
    return reports::report_from_json(reports::Json::parse(text));
  }

  /// Processes that the process has started.
  static std::vector<pid_t> children(pid_t pid) {
    std::istringstream text(
        read("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children"));
    return {std::istream_iterator<pid_t>(text), {}};
  }

  /// The case of nine rows is failed for the reason given, the others passed, and exit status is 1.
  void expect_costs_one_case(const std::string& fault, const std::string& reason,
                             const std::vector<std::string>& more = {},
                             const std::string& command = "verify") const {
    EXPECT_EQ(run(fault, more, command), 1) << fault << read(folder_ / "run.err");
    const reports::Report r = report("r");
    ASSERT_EQ(r.cases.size(), 3u) << fault;
    for (const CaseRecord& record : r.cases) {
      if (record.shape.m != 9) {
        EXPECT_EQ(record.status, reports::Status::passed) << fault << ": " << record.reason;
        continue;
      }
      EXPECT_EQ(record.status, reports::Status::failed) << fault;
      EXPECT_THAT(record.reason, HasSubstr(reason)) << fault;
      EXPECT_THAT(record.repro, testing::AllOf(HasSubstr(command + " "), HasSubstr(" --suite default "),
                                               HasSubstr(" --device cuda ")))
          << fault;
    }
  }

  /// The same of a benchmark, which has timed the others by a ceiling of their own worker.
  void expect_bench_loses_one_case(const std::string& fault, const std::string& reason,
                                   const std::vector<std::string>& more = {}) const {
    expect_costs_one_case(fault, reason, more, "bench");
    const reports::Report r = report("r");
    EXPECT_EQ(journal("r").size(), 3u) << fault;
    EXPECT_THAT(read(folder_ / "run.out"), HasSubstr(reason)) << fault;
    ASSERT_EQ(r.timings.size(), 2u) << fault;
    EXPECT_EQ(r.timings[0].id, r.cases[0].id) << fault;
    EXPECT_EQ(r.timings[1].id, r.cases[2].id) << fault;
    for (const reports::TimingRecord& timing : r.timings) {
      EXPECT_EQ(timing.ratio, 1) << fault;
      EXPECT_EQ(timing.aa_ratio, 1) << fault;
      EXPECT_DOUBLE_EQ(timing.ceiling.value(), 16 * 65536 / 1e-6) << fault;  // the script's 1 us
    }
  }

  /// A benchmark of one case.
  reports::Report bench_of_one(const std::vector<std::string>& more,
                               const std::string& pattern = "minilm\\.0\\.o/m17/.*/s8\\.c2/sm90/") const {
    std::vector<std::string> words{"bench",   "--json",   "r.json",
                                   "--quiet", "--filter", "^qpn2_gemm/" + pattern};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(wait(start("none", "run", words)), 0) << read(folder_ / "run.err");
    reports::Report r = report("r");
    EXPECT_EQ(r.timings.size(), 1u);
    return r;
  }

  Folder folder_;
};

TEST_F(FaultyGpu, ASoundOnePassesAndRepeatsInTwoProcesses) {
  EXPECT_EQ(run("none"), 0) << read(folder_ / "run.err");
  const reports::Report r = report("r");
  ASSERT_EQ(r.cases.size(), 3u);
  EXPECT_FALSE(r.run.device.name.empty());
  for (const CaseRecord& record : r.cases) {
    EXPECT_FALSE(record.kernels.empty());
    std::vector<std::string> names;
    for (const reports::Check& check : record.checks) names.push_back(check.name);
    EXPECT_THAT(names, testing::IsSupersetOf({"repeats", "memory returned", "same in another process"}));
  }
}

TEST_F(FaultyGpu, ACrashCostsOneCase) {
  expect_costs_one_case("crash", "killed by SIGSEGV");
  expect_costs_one_case("killed", "killed by SIGKILL");
}

TEST_F(FaultyGpu, AHangCostsOneCase) {
  expect_costs_one_case("hang", "no answer in 20 s", {"--timeout", "20"});
}

TEST_F(FaultyGpu, ABrokenDeviceCostsOneCase) {
  expect_costs_one_case("sticky", "cudaErrorIllegalAddress");
}

TEST_F(FaultyGpu, ALeakFailsTheCase) {
  expect_costs_one_case("leak", "memory returned: ");
}

TEST_F(FaultyGpu, OutputsThatDifferFailTheCase) {
  expect_costs_one_case("differ", "repeats: ");
}

class KilledFaultyGpu : public FaultyGpu, public testing::WithParamInterface<std::string> {};

TEST_P(KilledFaultyGpu, LeavesNoWorkerAndAReadableJournal) {
  const pid_t run = start_hanging(GetParam());
  const std::vector<pid_t> workers = children(run);
  ASSERT_FALSE(workers.empty());
  kill(run, SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(wait(run)));
  int killed = 0;  // the one that hangs; an idle one may see the end of its requests first
  for (const pid_t worker : workers) {
    const int status = wait(worker);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ++killed;
  }
  EXPECT_GE(killed, 1);
  EXPECT_EQ(journal("h").size(), 1u);
  EXPECT_EQ(journal("h")[0].status, reports::Status::passed);
  EXPECT_EQ(report("h").run.finished, "");
}

INSTANTIATE_TEST_SUITE_P(Run, KilledFaultyGpu, testing::Values("verify", "bench"),
                         [](const auto& param) { return param.param; });

TEST_F(FaultyGpu, AnInterruptedRunKeepsWhatItHasAndSaysWhoAsked) {
  const pid_t run = start_hanging();
  const std::vector<pid_t> workers = children(run);
  kill(run, SIGTERM);
  const int status = wait(run);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGTERM) << status;
  for (const pid_t worker : workers) EXPECT_EQ(kill(worker, 0), -1);
  const reports::Report r = report("h");
  EXPECT_EQ(r.cases.size(), 1u);
  EXPECT_EQ(r.run.planned, 3u);
  ASSERT_TRUE(r.run.interrupted);
  EXPECT_EQ(r.run.interrupted->signal, "SIGTERM");
  EXPECT_EQ(r.run.interrupted->sender_pid, getpid());
  EXPECT_THAT(read(folder_ / "hanging.out"), HasSubstr("interrupted by SIGTERM: 1 of 3 cases ran"));
}

TEST_F(FaultyGpu, AnInterruptedBenchKeepsWhatItMeasured) {
  const pid_t run = start_hanging("bench", "slow");
  kill(run, SIGINT);
  const int status = wait(run);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGINT) << status;
  const reports::Report r = report("h");
  EXPECT_GE(r.timings.size(), 1u);
  EXPECT_LT(r.timings.size(), 3u);
  EXPECT_EQ(r.timings.size(), r.cases.size());
  EXPECT_TRUE(r.timings.at(0).ratio);
  ASSERT_TRUE(r.run.interrupted);
  EXPECT_EQ(r.run.interrupted->signal, "SIGINT");
  EXPECT_EQ(r.run.interrupted->sender_pid, getpid());
}

TEST_F(FaultyGpu, ACrashCostsABenchOneCase) {
  expect_bench_loses_one_case("crash", "worker process: killed by SIGSEGV");
  expect_bench_loses_one_case("killed", "worker process: killed by SIGKILL");
  expect_bench_loses_one_case("crash-timing", "worker process: killed by SIGSEGV");
}

TEST_F(FaultyGpu, AHangCostsABenchOneCase) {
#ifdef __SANITIZE_ADDRESS__
  const std::string seconds = "60";  // the cases that do not hang are slow, too
#else
  const std::string seconds = "20";
#endif
  expect_bench_loses_one_case("hang", "worker process: no answer in " + seconds + " s",
                              {"--timeout", seconds});
}

TEST_F(FaultyGpu, ABrokenDeviceCostsABenchOneCase) {
  expect_bench_loses_one_case("sticky", "cudaErrorIllegalAddress");
}

TEST_F(FaultyGpu, ABenchMeasuresInItsWorkerWhatItIsTold) {
  const reports::Report plain = bench_of_one({});
  EXPECT_THAT(plain.timings[0].sampling, StartsWith("cold: "));
  EXPECT_EQ(plain.timings[0].control, "stream");
  EXPECT_EQ(plain.run.device.clocks_mhz.at("sm_median"), 1500);  // the script's
  EXPECT_THAT(bench_of_one({"--hot"}).timings[0].sampling,
              StartsWith("hot: 16 nodes a graph over 1 tensor,"));
  EXPECT_THAT(bench_of_one({"--working-set", "5"}).timings[0].sampling, HasSubstr(" over 5 tensors,"));
  EXPECT_EQ(bench_of_one({"--control", "s16.c1"}).timings[0].control, "s16.c1");
  EXPECT_THAT(bench_of_one({"--early-start"}).timings[0].candidate, testing::EndsWith(", early start"));
  const auto expected = [&](const std::string& seed) {
    const reports::Report report =
        bench_of_one({"--seed", seed}, "whisper\\.2\\.qkv/m1/.*/sm90/hopper/heavy");
    std::vector<std::string> hashes;
    for (const reports::Check& check : report.cases.at(0).checks) hashes.push_back(check.expected_hash);
    return hashes;
  };
  EXPECT_NE(expected("1"), expected("7"));
}

TEST_F(FaultyGpu, WhatTheDeviceLacksEndsABenchWithSixtyNine) {
  const int status = wait(start("no-l2", "run", {"bench", "--json", "r.json", "--quiet"}));
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 69) << status;
  EXPECT_THAT(read(folder_ / "run.err"), HasSubstr("use --hot or --working-set N"));
}

TEST_F(FaultyGpu, ASecondRunIsRefusedAndNamesTheFirst) {
  const pid_t holder = start_hanging();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"verify"}, {"bench"}, {"probe", "--device", "cuda"}}) {
    const int status = wait(start("none", "second", words));
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 69) << words[0];
    EXPECT_THAT(read(folder_ / "second.err"),
                testing::ContainsRegex("0000:00:00.0\\) is in use by process " + std::to_string(holder) +
                                       " since 20[0-9-]+T[0-9:]+Z: .*verify --json h.json"))
        << words[0];
  }
  kill(holder, SIGKILL);
  wait(holder);
  EXPECT_EQ(run("none"), 0) << read(folder_ / "run.err");
}

}  // namespace
}  // namespace quadpair::cli
