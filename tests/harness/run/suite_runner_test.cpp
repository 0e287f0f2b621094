#include "harness/run/suite_runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

using reports::Status;

std::vector<cases::Case> some_cases() {
  std::vector<cases::Case> all;
  for (const std::uint32_t m : {1u, 2u, 5u, 65u, 9u}) {  // 65 is refused
    cases::Case c = small_case();
    c.id.append("/").append(std::to_string(m));
    c.m = m;
    all.push_back(c);
  }
  return all;
}

std::map<std::size_t, reports::CaseRecord> run_all(const std::vector<cases::Case>& all, unsigned jobs) {
  Options options = emulator_options();
  options.jobs = jobs;
  std::map<std::size_t, reports::CaseRecord> records;
  run_cases(all, options, [&](std::size_t index, reports::CaseRecord record) {
    EXPECT_TRUE(records.emplace(index, std::move(record)).second) << "case " << index << " ran twice";
  });
  return records;
}

TEST(SuiteRunner, GivesEachCaseItsPlaceWhateverTheJobs) {
  const auto all = some_cases();
  const auto one = run_all(all, 1), three = run_all(all, 3);
  ASSERT_EQ(one.size(), all.size());
  ASSERT_EQ(three.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(one.at(i).id, all[i].id);
    EXPECT_EQ(three.at(i).id, all[i].id);
    EXPECT_EQ(one.at(i).status, three.at(i).status);
    ASSERT_EQ(one.at(i).checks.size(), three.at(i).checks.size());
    for (std::size_t k = 0; k < one.at(i).checks.size(); ++k)
      EXPECT_EQ(one.at(i).checks[k].actual_hash, three.at(i).checks[k].actual_hash);
  }
}

TEST(SuiteRunner, OneCaseThatBreaksCostsItselfAlone) {
  auto all = some_cases();
  all[4].model = "turing";
  Options options = emulator_options();
  options.make_device = [](reference::Model model, unsigned threads) {
    if (model == reference::Model::turing) throw std::runtime_error("no such device today");
    return emulator(model, threads);
  };
  std::map<std::size_t, reports::CaseRecord> records;
  run_cases(all, options,
            [&](std::size_t i, reports::CaseRecord record) { records.emplace(i, std::move(record)); });
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records.at(0).status, Status::passed);
  EXPECT_EQ(records.at(2).status, Status::passed);
  EXPECT_EQ(records.at(3).status, Status::refused);
  EXPECT_EQ(records.at(4).status, Status::failed);
  EXPECT_EQ(records.at(4).reason, "no such device today");
}

TEST(SuiteRunner, SkipsWithTheReason) {
  Options options = emulator_options();
  options.why_skipped = [](const cases::Case& c) {
    return c.m == 5 ? std::optional<std::string>("five is too many") : std::nullopt;
  };
  std::map<std::size_t, reports::CaseRecord> records;
  run_cases(some_cases(), options,
            [&](std::size_t i, reports::CaseRecord record) { records.emplace(i, std::move(record)); });
  EXPECT_EQ(records.at(1).status, Status::passed);
  EXPECT_EQ(records.at(2).status, Status::skipped);
  EXPECT_EQ(records.at(2).reason, "five is too many");
}

TEST(SuiteRunner, StartsNothingAfterAStop) {
  const auto all = some_cases();
  Options options = emulator_options();
  options.jobs = 1;
  std::stop_source stop;
  std::size_t finished = 0;
  run_cases(
      all, options,
      [&](std::size_t, const reports::CaseRecord&) {
        if (++finished == 2) stop.request_stop();
      },
      stop.get_token());
  EXPECT_EQ(finished, 2u);
}

TEST(SuiteRunner, PassesOnWhatTheCallbackThrows) {
  Options options = emulator_options();
  std::size_t calls = 0;
  EXPECT_THROW(run_cases(some_cases(), options,
                         [&](std::size_t, const reports::CaseRecord&) {
                           ++calls;
                           throw std::runtime_error("disk full");
                         }),
               std::runtime_error);
  EXPECT_EQ(calls, 1u);
}

TEST(SuiteRunner, NothingToRun) {
  EXPECT_TRUE(run_all({}, 2).empty());
}

}  // namespace
}  // namespace quadpair::run
