// Workers are shell scripts with answers written beforehand.
#include "harness/run/isolated_runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "harness/compare/hash.hpp"
#include "harness/run/case_runner.hpp"
#include "harness/run/worker.hpp"
#include "reports/json.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

using reports::Status;
using testing::StartsWith;

cases::Case named(const std::string& id) {
  cases::Case c = small_case();
  c.id = id;
  return c;
}

/// An answer whose plan is the number of the process that gave it.
std::string answer(const std::string& id, const std::string& hash) {
  reports::CaseRecord record;
  record.id = id;
  record.status = Status::passed;
  record.route = "qpn2/gemm@sm70";
  record.plan = "PROCESS";
  reports::Check output;
  output.name = "eager";
  output.elements = 1;
  output.expected_hash = output.actual_hash = hash;
  record.checks.push_back(output);
  return "echo '" + answer_text(record) + "' | sed s/PROCESS/$$/";
}

/// A worker that does `bad` when the case "bad" comes, and answers "first" and "last" well.
std::string worker(const std::string& bad, const std::string& repeat = "exit 9") {
  return "while read -r line; do case \"$line\" in *'\"outputs_only\":true'*) " + repeat +
         ";; *'\"bad\"'*) " + bad + ";; *'\"first\"'*) " + answer("first", "aa") + ";; *) " +
         answer("last", "bb") + ";; esac; done";
}

std::map<std::string, reports::CaseRecord> run_with(const std::string& script, unsigned repeats = 1) {
  Options options = emulator_options();
  options.repeats = repeats;
  options.why_skipped = [](const cases::Case& c) {
    return c.id == "skip" ? std::optional<std::string>("no such arithmetic") : std::nullopt;
  };
  Isolation isolation{{"/bin/sh", "-c", script}};
  isolation.timeout = std::chrono::seconds(2);
  std::map<std::string, reports::CaseRecord> records;
  run_cases_isolated({named("first"), named("skip"), named("bad"), named("last")}, options, isolation,
                     [&](std::size_t, reports::CaseRecord record) {
                       const std::string id = record.id;
                       records[id] = std::move(record);
                     });
  return records;
}

/// The bad case is failed for the reason given, and all others are as they would be without it.
void expect_costs_one_case(const std::string& bad, const std::string& reason) {
  const auto records = run_with(worker(bad));
  ASSERT_EQ(records.size(), 4u) << bad;
  EXPECT_EQ(records.at("bad").status, Status::failed) << bad;
  EXPECT_THAT(records.at("bad").reason, StartsWith("worker process: " + reason)) << bad;
  EXPECT_EQ(records.at("bad").repro, "quadpair verify --filter '^bad$'");
  EXPECT_EQ(records.at("bad").target, "sm70");
  EXPECT_EQ(records.at("first").status, Status::passed);
  EXPECT_EQ(records.at("last").status, Status::passed);
  EXPECT_NE(records.at("first").plan, records.at("last").plan) << "the same worker";
  EXPECT_EQ(records.at("skip").status, Status::skipped);
  EXPECT_EQ(records.at("skip").reason, "no such arithmetic");
}

TEST(IsolatedRunner, OneWorkerServesAllCases) {
  const auto records = run_with(worker(answer("bad", "cc")));
  EXPECT_EQ(records.at("first").plan, records.at("last").plan);
  EXPECT_EQ(records.at("bad").status, Status::passed);
  EXPECT_EQ(records.at("bad").repro, "quadpair verify --filter '^bad$'");
}

TEST(IsolatedRunner, ACrashCostsOneCase) {
  expect_costs_one_case("kill -SEGV $$", "killed by SIGSEGV");
  expect_costs_one_case("kill -KILL $$", "killed by SIGKILL");
  expect_costs_one_case("exit 3", "exited with status 3");
}

TEST(IsolatedRunner, AHangCostsOneCase) {
  expect_costs_one_case("exec sleep 600", "no answer in 2 s");
}

TEST(IsolatedRunner, NonsenseCostsOneCase) {
  expect_costs_one_case("echo hello", "answered nonsense: ");
  expect_costs_one_case("echo '{\"case\": {\"id\": 3, \"kernels\": []}}'", "answered nonsense: /id: no text");
  expect_costs_one_case(answer("other", "cc"), "answered nonsense: a record of other");
}

TEST(IsolatedRunner, AFailedCaseCostsItsWorker) {
  std::string failed = answer("bad", "cc");
  failed.replace(failed.find("\"passed\""), 8, "\"failed\"");
  const auto records = run_with(worker(failed));
  EXPECT_EQ(records.at("bad").status, Status::failed);
  EXPECT_NE(records.at("bad").plan, records.at("last").plan);
}

TEST(IsolatedRunner, ASecondProcessGivesTheSame) {
  const std::string repeat = "case \"$line\" in *'\"first\"'*) " + answer("first", "aa") +
                             ";; *'\"bad\"'*) " + answer("bad", "OTHER") + ";; *) " + answer("last", "bb") +
                             ";; esac";
  const auto records = run_with(worker(answer("bad", "cc"), repeat), 2);
  for (const char* same : {"first", "last"}) {
    EXPECT_EQ(records.at(same).status, Status::passed);
    EXPECT_TRUE(check(records.at(same), "same in another process").passed());
    EXPECT_EQ(check(records.at(same), "same in another process").elements, 1u);
  }
  EXPECT_EQ(records.at("bad").status, Status::failed);
  EXPECT_EQ(records.at("bad").reason, "same in another process: 1 of 1 differ");
}

TEST(IsolatedRunner, ASecondProcessThatDiesFailsTheCase) {
  const auto records = run_with(worker(answer("bad", "cc"), "kill -SEGV $$"), 2);
  EXPECT_EQ(records.at("last").status, Status::failed);
  EXPECT_EQ(records.at("last").reason, "in another process: worker process: killed by SIGSEGV");
}

TEST(IsolatedRunner, AStopStartsNoFurtherCase) {
  Options options = emulator_options();
  std::stop_source stop;
  std::size_t finished = 0;
  run_cases_isolated(
      {named("first"), named("last")}, options, {{"/bin/sh", "-c", worker("exit 1")}},
      [&](std::size_t, const reports::CaseRecord&) {
        ++finished;
        stop.request_stop();
      },
      stop.get_token());
  EXPECT_EQ(finished, 1u);
}

TEST(IsolatedRunner, LargeCasesGetMoreTime) {
  cases::Case c = small_case();
  EXPECT_EQ(time_allowed(c).count(), 120);
  c.m = 1'000'000;  // 100 x 128
  EXPECT_EQ(time_allowed(c).count(), 120 + 128);
  c.slice = "no such slice";
  EXPECT_EQ(time_allowed(c).count(), 120);
}

TEST(Worker, AnswersAsACaseInThisProcess) {
  const cases::Case c = small_case();
  const Options options = emulator_options();
  std::stringstream in(request_text(c, {false, SaveArrays::always}) + "\n" +
                       request_text(c, {.outputs_only = true}) + "\n"),
      out;
  answer_requests(in, out, options);
  std::string whole, outputs;
  std::getline(out, whole);
  std::getline(out, outputs);

  Resources resources(options);
  reports::CaseRecord expected = run_case(c, options, resources, 1), record = answer_from_text(whole);
  record.seconds = expected.seconds;
  EXPECT_EQ(reports::to_json(record), reports::to_json(expected));
  EXPECT_EQ(record.kernels, expected.kernels);
  ASSERT_TRUE(record.arrays);
  EXPECT_EQ(record.arrays->output, "eager");
  EXPECT_EQ(compare::hash(std::as_bytes(std::span(record.arrays->actual.value().bits))),
            check(expected, "eager").actual_hash);

  const reports::CaseRecord again = answer_from_text(outputs);
  EXPECT_EQ(again.checks.size(), 4u);
  EXPECT_EQ(check(again, "eager").actual_hash, check(expected, "eager").actual_hash);
  EXPECT_EQ(again.seconds.reference, 0);
}

TEST(Worker, RefusesWhatIsNoRequest) {
  std::stringstream in("hello\n"), out;
  EXPECT_THROW(answer_requests(in, out, emulator_options()), std::runtime_error);
  EXPECT_THROW(answer_from_text("hello"), std::runtime_error);
}

}  // namespace
}  // namespace quadpair::run
