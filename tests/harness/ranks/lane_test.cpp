#include "harness/ranks/lane.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "tests/harness/ranks/workers.hpp"

namespace quadpair::ranks {
namespace {

using namespace std::chrono_literals;

Finished wait_for(Lane& lane) {
  for (int i = 0; i < 10'000; ++i) {
    if (auto finished = lane.take()) return std::move(*finished);
    std::this_thread::sleep_for(2ms);
  }
  throw std::runtime_error("nothing finished");
}

TEST(Lane, RunsOneCaseAfterAnother) {
  const run::Options options = run::emulator_options();
  Lane lane(options, scripted(), always());
  EXPECT_TRUE(lane.idle());
  EXPECT_FALSE(lane.take());
  lane.start({7, named("slow")});
  EXPECT_FALSE(lane.idle());
  Finished finished = wait_for(lane);
  EXPECT_EQ(finished.index, 7u);
  EXPECT_EQ(finished.record.id, "slow");
  EXPECT_EQ(finished.record.status, reports::Status::passed);
  EXPECT_TRUE(lane.idle());
  lane.start({8, named("crash")});
  finished = wait_for(lane);
  EXPECT_EQ(finished.record.status, reports::Status::failed);
  EXPECT_EQ(finished.record.reason, "worker process: killed by SIGSEGV");
  lane.start({9, named("after")});
  EXPECT_EQ(wait_for(lane).record.status, reports::Status::passed);
}

TEST(Lane, HoldsItsTurnWhileACaseRunsAndNoLonger) {
  const run::Options options = run::emulator_options();
  int taken = 0;
  std::weak_ptr<int> held;
  Lane lane(options, scripted(), [&](const std::stop_token&) {
    ++taken;
    auto turn = std::make_shared<int>();
    held = turn;
    return turn;
  });
  lane.start({0, named("a")});
  wait_for(lane);
  lane.start({1, named("b")});
  wait_for(lane);
  EXPECT_EQ(taken, 2);
  EXPECT_TRUE(held.expired());
}

TEST(Lane, ATurnThatNeverComesFailsTheCase) {
  const run::Options options = run::emulator_options();
  Lane lane(options, scripted(), [](const std::stop_token&) -> std::shared_ptr<void> {
    throw std::runtime_error("the lock is not there");
  });
  lane.start({0, named("a")});
  const Finished finished = wait_for(lane);
  EXPECT_EQ(finished.record.status, reports::Status::failed);
  EXPECT_EQ(finished.record.reason, "the lock is not there");
}

TEST(Lane, EndsAtOnceWhateverRuns) {
  const run::Options options = run::emulator_options();
  run::Isolation isolation{{"/bin/sh", "-c", "exec sleep 100"}};
  isolation.grace = 0s;
  const auto begun = std::chrono::steady_clock::now();
  {
    Lane lane(options, isolation, always());
    lane.start({0, named("a")});
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 20s);
}

}  // namespace
}  // namespace quadpair::ranks
