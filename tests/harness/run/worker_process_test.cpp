#include "harness/run/worker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

namespace quadpair::run {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

WorkerProcess shell(const std::string& script) {
  return WorkerProcess({"/bin/sh", "-c", script});
}

/// What is said of a worker that gives no answer.
std::string loss(const std::string& script, std::chrono::seconds timeout = 60s) {
  WorkerProcess worker = shell(script);
  try {
    worker.ask("a line", timeout, {});
  } catch (const WorkerLost& e) {
    return e.what();
  }
  return "nothing";
}

TEST(WorkerProcess, AnswersLineByLine) {
  WorkerProcess worker = shell("while read -r line; do echo \"<$line>\"; done");
  EXPECT_EQ(worker.ask("one", 60s, {}), "<one>");
  const std::string longer(100'000, 'x');  // more than one read, and more than one write
  EXPECT_EQ(worker.ask(longer, 60s, {}), "<" + longer + ">");
}

TEST(WorkerProcess, SaysHowItEnded) {
  EXPECT_EQ(loss("kill -SEGV $$"), "killed by SIGSEGV");
  EXPECT_EQ(loss("kill -KILL $$"), "killed by SIGKILL");
  EXPECT_EQ(loss("read -r line; exit 3"), "exited with status 3");
  EXPECT_EQ(loss("printf half; exit 0"), "exited with status 0");
}

TEST(WorkerProcess, HoldsNoneOfTheFilesThatAreOpenHere) {
  const int file = open("/dev/null", O_WRONLY);  // to be inherited, as libraries open files
  WorkerProcess worker =
      shell(fmt::format("read -r line; test -e /proc/$$/fd/{} && echo held || echo free", file));
  EXPECT_EQ(worker.ask("a line", 60s, {}), "free");
  close(file);
}

TEST(WorkerProcess, AProgramThatIsNotThere) {
  WorkerProcess worker({"/no/such/program"});
  EXPECT_THROW(worker.ask("a line", 60s, {}), WorkerLost);
}

TEST(WorkerProcess, AHangIsKilledInTime) {
  const auto begun = steady_clock::now();
  EXPECT_EQ(loss("exec sleep 600", 1s), "no answer in 1 s");
  EXPECT_LT(steady_clock::now() - begun, 30s);
}

TEST(WorkerProcess, DiesWithItsOwner) {
  pid_t pid = 0;
  {
    const WorkerProcess worker({"/bin/sleep", "600"});
    pid = worker.pid();
    EXPECT_EQ(kill(pid, 0), 0);
  }
  EXPECT_EQ(kill(pid, 0), -1);
}

TEST(WorkerProcess, AStopWaitsForAnAnswerThatComesSoon) {
  WorkerProcess worker = shell("read -r line; sleep 0.3; echo late");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(worker.ask("a line", 60s, stop.get_token()), "late");
}

TEST(WorkerProcess, AStopGivesUpOnAHang) {
  WorkerProcess worker({"/bin/sleep", "600"});
  std::stop_source stop;
  stop.request_stop();
  const auto begun = steady_clock::now();
  EXPECT_EQ(worker.ask("a line", 600s, stop.get_token()), std::nullopt);
  EXPECT_LT(steady_clock::now() - begun, 60s);
}

}  // namespace
}  // namespace quadpair::run
