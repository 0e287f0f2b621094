// The program as mpirun starts it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "tests/harness/cli/support.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::cli {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::HasSubstr;

/// Several operators and models.
const std::string some_cases = "--filter 'minilm.0.(o|down)/m(1|9)/'";
/// Three cases, of which the one of nine rows goes wrong on a faulty GPU.
const std::string three_cases = "--filter '^qpn2_gemm/minilm\\.0\\.o/m(1|9|17)/.*/s8\\.c2/sm90/'";

class Mpirun : public testing::Test {
 protected:
  void SetUp() override {
    if (QUADPAIR_HAS_MPI == 0) GTEST_SKIP() << "built without MPI";
    if (std::system("mpirun --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no mpirun";
  }

  std::string at(const std::string& file) const { return std::filesystem::absolute(folder_ / file); }

  /// The status of a shell command in the test's folder, its output in out and err.
  int run(const std::string& command) const {
    const int status =
        std::system(("cd '" + at("") + "' && " + command + " > out 2> err < /dev/null").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  static std::string ranks(int n, const std::string& program, const std::string& more = "") {
    // A leak checker would complain of MPI's own.
    return "ASAN_OPTIONS=detect_leaks=0 mpirun --allow-run-as-root --oversubscribe -n " + std::to_string(n) +
           " " + more + " " + program;
  }

  json report(const std::string& name) const {
    json report = read_json(at(name));
    EXPECT_EQ(reports::violations(report), "");
    return report;
  }

  /// A report without what differs from run to run.
  static json stable(json report) {
    for (const char* name : {"id", "started", "finished"}) report["run"].erase(name);
    report["run"]["device"].erase("name");  // tells of threads
    for (json& c : report["cases"]) c.erase("seconds");
    return report;
  }

  Folder folder_;
};

TEST_F(Mpirun, TheReportIsThatOfOneProcess) {
  const std::string verify = QUADPAIR_PROGRAM " verify --device emulator " + some_cases + " --json ";
  ASSERT_EQ(run(verify + "one.json"), 0) << read(at("err"));
  ASSERT_EQ(run(ranks(3, verify + "three.json")), 0) << read(at("err"));
  EXPECT_THAT(read(at("err")), HasSubstr("3 ranks"));
  json one = stable(report("one.json")), three = stable(report("three.json"));
  EXPECT_GE(one["cases"].size(), 20u);
  one["run"].erase("command");
  three["run"].erase("command");
  EXPECT_EQ(one, three);
}

TEST_F(Mpirun, AFailingCaseCostsItself) {
  setenv("QUADPAIR_TEST_FAULT", "crash", 1);
  EXPECT_EQ(run(ranks(3, FAULTY_GPU " verify --quiet --json r.json " + three_cases)), 1) << read(at("err"));
  const json r = report("r.json");
  ASSERT_EQ(r["cases"].size(), 3u);
  EXPECT_EQ(r["cases"][0]["status"], "passed");
  EXPECT_EQ(r["cases"][1]["status"], "failed");
  EXPECT_EQ(r["cases"][1]["reason"], "worker process: killed by SIGSEGV");
  EXPECT_EQ(r["cases"][2]["status"], "passed");
  EXPECT_EQ(r["run"]["interrupted"], nullptr);
}

// The lock on the one GPU refuses a second run, but lets the ranks of one take turns.
TEST_F(Mpirun, RanksShareAGpuByTurns) {
  unsetenv("QUADPAIR_TEST_FAULT");
  EXPECT_EQ(run(ranks(3, FAULTY_GPU " verify --quiet --json r.json " + three_cases)), 0) << read(at("err"));
  EXPECT_EQ(report("r.json")["summary"]["passed"], 3);
}

TEST_F(Mpirun, ARankThatDiesIsNamedAndTheRestIsWritten) {
  setenv("QUADPAIR_TEST_FAULT", "hang", 1);
  // The shell waits until a case hangs, and kills a rank. While it hangs, no other has its turn on the GPU.
  const std::string kill =
      "(for i in $(seq 600); do sleep 0.2; [ -e hanging ] && break; done; "
      "for p in /proc/[0-9]*; do "
      "grep -qsz '^OMPI_COMM_WORLD_RANK=2$' $p/environ && grep -qsz '^verify$' $p/cmdline && "
      "[ $(readlink $p/cwd) = \"$PWD\" ] && kill -9 ${p#/proc/}; done) & ";
  const int status =
      run("(" + kill +
          ranks(3, FAULTY_GPU " verify --quiet --isolate --device cuda --json r.json " + three_cases) + ")");
  EXPECT_NE(status, 0);
  const std::string err = read(at("err"));
  EXPECT_THAT(err, HasSubstr("rank 2"));
  EXPECT_THAT(err, HasSubstr("signal 9"));
  EXPECT_THAT(err, HasSubstr("/m9/"));  // the case that was under way
  const json r = report("r.json");
  EXPECT_LE(r["cases"].size(), 2u);
  EXPECT_EQ(r["run"]["interrupted"]["signal"], "SIGTERM");
}

TEST_F(Mpirun, WhatIsWrongForAllEndsAllRanks) {
  EXPECT_EQ(run(ranks(3, QUADPAIR_PROGRAM " verify --device emulator --filter nothing")), 4);
  EXPECT_THAT(read(at("err")), HasSubstr("no case of suite default matches"));
}

}  // namespace
}  // namespace quadpair::cli
