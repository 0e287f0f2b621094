// Ranks are threads of this process, their workers shell scripts.
#include "harness/ranks/lead.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <set>
#include <thread>

#include "harness/ranks/serve.hpp"
#include "tests/harness/ranks/network.hpp"
#include "tests/harness/ranks/workers.hpp"

namespace quadpair::ranks {
namespace {

using namespace std::chrono_literals;
using reports::Status;
using testing::ElementsAre;
using testing::HasSubstr;

const Introduction us{"here", "a GPU", "0.1"};
constexpr Patience impatient{.alive = 50ms, .lost = 1500ms, .nap = 1ms};

class Lead : public testing::Test {
 protected:
  Lead() {
    options_.why_skipped = [](const cases::Case& c) {
      return c.id == "skip" ? std::optional<std::string>("no such arithmetic") : std::nullopt;
    };
  }

  /// A rank that does as it should.
  void good_rank(unsigned rank, const Introduction& introduction = us) {
    ranks_.emplace_back([this, rank, introduction] {
      InMemory messages(network_, rank, size_);
      serve(messages, introduction, options_, scripted(), always(), impatient);
    });
  }

  /// A rank that introduces itself, takes a case and is not heard of again.
  void dying_rank(unsigned rank) {
    ranks_.emplace_back([this, rank] {
      InMemory messages(network_, rank, size_);
      messages.send(0, to_text({.introduction = us}));
      for (int i = 0; i < 5000; ++i) {
        if (const auto message = messages.take(); message && said_from_text(message->text).given) return;
        std::this_thread::sleep_for(1ms);
      }
    });
  }

  void run(const std::vector<std::string>& ids, const std::stop_token& stop = {}) {
    std::vector<cases::Case> cases;
    cases.reserve(ids.size());
    for (const std::string& id : ids) cases.push_back(named(id));
    InMemory messages(network_, 0, size_);
    const StopAll stop_all(messages);
    lead(
        messages, us, cases, options_, scripted(), always(),
        [&](std::size_t index, reports::CaseRecord record) {
          EXPECT_EQ(record.id, ids.at(index));
          EXPECT_TRUE(records_.emplace(index, std::move(record)).second) << "twice: " << index;
        },
        [&](const std::string& what) { lost_.push_back(what); }, stop, impatient);
  }

  run::Options options_ = run::emulator_options();
  Network network_;
  unsigned size_ = 3;
  std::map<std::size_t, reports::CaseRecord> records_;
  std::vector<std::string> lost_;
  std::vector<std::jthread> ranks_;  ///< last: they use all of the above
};

/// The names of so many cases that take a while.
std::vector<std::string> slow_cases(std::size_t count) {
  std::vector<std::string> ids(count);
  for (std::size_t i = 0; i < count; ++i) ids[i] = fmt::format("slow{}", i);
  return ids;
}

TEST_F(Lead, EveryRankGetsCasesAndEachCaseIsRunOnce) {
  good_rank(1);
  good_rank(2);
  std::vector<std::string> ids = slow_cases(9);
  ids[4] = "skip";
  run(ids);
  ASSERT_EQ(records_.size(), 9u);
  std::set<std::string> processes;
  for (const auto& [index, record] : records_) {
    EXPECT_EQ(record.status, index == 4 ? Status::skipped : Status::passed);
    if (index != 4) processes.insert(record.plan);
  }
  EXPECT_EQ(processes.size(), 3u);
  EXPECT_TRUE(lost_.empty());
}

TEST_F(Lead, ACrashCostsOneCase) {
  good_rank(1);
  good_rank(2);
  run({"a", "crash1", "slow", "crash2", "b", "c"});
  ASSERT_EQ(records_.size(), 6u);
  for (const auto& [index, record] : records_)
    EXPECT_EQ(record.status, record.id.starts_with("crash") ? Status::failed : Status::passed) << record.id;
  EXPECT_TRUE(lost_.empty());
}

TEST_F(Lead, TheCaseOfALostRankIsRunByAnother) {
  dying_rank(1);
  good_rank(2);
  run({"slow0", "slow1", "slow2", "slow3"});
  ASSERT_EQ(records_.size(), 4u);
  for (const auto& [index, record] : records_) EXPECT_EQ(record.status, Status::passed) << record.reason;
  EXPECT_THAT(lost_, ElementsAre(testing::AllOf(HasSubstr("rank 1 on here is lost: no sign of life"),
                                                HasSubstr("it had slow"))));
}

// Rank 1 has introduced itself, and takes "deadly" with it; so does rank 2, which comes later. Rank 0 is busy
// with a case of its own meanwhile.
TEST_F(Lead, ACaseThatCostsTwoRanksIsFailed) {
  network_.put(0, {1, to_text({.introduction = us})});
  ranks_.emplace_back([this] {
    InMemory messages(network_, 2, size_);
    for (int i = 0; i < 40; ++i) {
      messages.send(0, to_text({}));
      std::this_thread::sleep_for(50ms);
    }
    messages.send(0, to_text({.introduction = us}));
  });
  run({"deadly", "long"});
  ASSERT_EQ(records_.size(), 2u);
  EXPECT_EQ(records_.at(0).status, Status::failed);
  EXPECT_THAT(records_.at(0).reason, HasSubstr("rank 2 on here is lost"));
  EXPECT_EQ(records_.at(1).status, Status::passed);
  EXPECT_THAT(lost_, ElementsAre(HasSubstr("rank 1 on here is lost"), HasSubstr("rank 2 on here is lost")));
}

TEST_F(Lead, AnotherDeviceOrProgramIsNamed) {
  good_rank(1, {"there", "another GPU", "0.1"});
  good_rank(2);
  try {
    run({"slow0", "slow1", "slow2", "slow3", "slow4", "slow5"});
    ADD_FAILURE() << "was taken";
  } catch (const OtherRank& e) {
    EXPECT_STREQ(e.what(), "rank 1 on there has another GPU, and rank 0 on here has a GPU");
  }
}

TEST_F(Lead, AStopIsNotKeptWaiting) {
  good_rank(1);
  good_rank(2);
  std::stop_source stop;
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(900ms);
    stop.request_stop();
  });
  run(slow_cases(100), stop.get_token());
  EXPECT_LT(records_.size(), 100u);
  EXPECT_THAT(lost_, testing::Each(HasSubstr("when the run was stopped")));
}

TEST_F(Lead, ALeaderThatFailsLeavesNoRankWaiting) {
  good_rank(1);
  good_rank(2);
  InMemory messages(network_, 0, size_);
  { const StopAll stop_all(messages); }
  ranks_.clear();  // joins
}

TEST_F(Lead, ALeaderThatIsLostIsNotWaitedFor) {
  InMemory messages(network_, 1, size_);
  network_.put(1, {0, to_text({})});
  EXPECT_THROW(
      serve(messages, us, options_, scripted(), always(), {.alive = 10ms, .lost = 100ms, .nap = 1ms}),
      NoMessages);
}

}  // namespace
}  // namespace quadpair::ranks
