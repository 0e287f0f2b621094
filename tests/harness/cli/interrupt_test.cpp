#include "harness/cli/interrupt.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace quadpair::cli {
namespace {

TEST(Interrupt, NothingReceived) {
  const Interrupt interrupt;
  EXPECT_FALSE(interrupt.token().stop_requested());
  EXPECT_FALSE(interrupt.received());
  EXPECT_EQ(interrupt.number(), 0);
}

TEST(Interrupt, StopsAndSaysWhoAsked) {
  const Interrupt interrupt;
  ASSERT_EQ(kill(getpid(), SIGTERM), 0);
  for (int i = 0; i < 200 && !interrupt.token().stop_requested(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(interrupt.token().stop_requested());
  ASSERT_TRUE(interrupt.received());
  EXPECT_EQ(interrupt.received()->signal, "SIGTERM");
  EXPECT_EQ(interrupt.received()->sender_pid, getpid());
  EXPECT_EQ(interrupt.number(), SIGTERM);
}

TEST(InterruptDeathTest, ASecondSignalEndsTheProcess) {
  const auto twice = [] {
    const Interrupt interrupt;
    kill(getpid(), SIGINT);
    while (!interrupt.token().stop_requested()) std::this_thread::yield();
    kill(getpid(), SIGINT);
    std::this_thread::sleep_for(std::chrono::seconds(20));
  };
  EXPECT_EXIT(twice(), testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace quadpair::cli
