// Reports made up to differ in one thing each.
#include "reports/compare/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "reports/compare/comparison_json.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kernel = "qpn2/gemm:entry", stream = "bench/stream:stream";

KernelRecord code(const std::string& name, char digit) {
  return {name, "sm90", std::string(64, digit), 64, 0, "NVRTC"};
}

Check output(const std::string& name, char digit, Kind kind = Kind::bitwise) {
  Check check;
  check.name = name;
  check.kind = kind;
  check.elements = 4;
  check.expected_hash = check.actual_hash = std::string(32, digit);
  return check;
}

std::string id_of(int n) {
  return "qpn2_gemm/slice" + std::to_string(n) + "/m8/dual/s8.c2/sm90/hopper/real";
}

CaseRecord passed(int n) {
  CaseRecord c;
  c.id = id_of(n);
  c.operation = "qpn2_gemm";
  c.target = "sm90";
  c.model = "hopper";
  c.slice.sha256 = std::string(64, 'b');
  c.layout = "dual";
  c.route = "convert/pack:pack@sm90 + " + kernel + "@sm90";
  c.status = Status::passed;
  c.checks = {output("eager", '1'), output("eager within FP64 bound", '1', Kind::bound),
              output("replay 1", '2')};
  c.cost = CostRecord{{{"fp16", 10}, {"load", 4}}, {{"m16n8k16", 8}}, 100, 90, 0, 2};
  c.workspace_bytes = 64;
  c.kernels = {code("convert/pack:pack", 'c'), code(kernel, 'a'), code(stream, '5')};
  return c;
}

TimingRecord timed(int n, double ratio) {
  TimingRecord t;
  t.id = id_of(n);
  t.candidate = kernel + "@sm90";
  t.control = "stream";
  t.control_route = stream + "@sm90";
  t.unit = "seconds";
  t.sampling = "cold";
  t.ratio = ratio;
  return t;
}

Report made_up() {
  Report report;
  report.run.id = "1";
  report.run.finished = "2025-01-31T12:00:00Z";
  report.run.suite = SuiteRecord{"made-up", 2, std::string(64, '1')};
  report.run.seed = 1;
  report.run.device = {"cuda", "a GPU", {{"hopper", "capability"}}, "13.0", "12.8"};
  report.cases = {passed(0), passed(1)};
  return report;
}

/// Slower when the ratio grew.
TimeChange by_ratio(const TimingRecord& base, const TimingRecord& now) {
  TimeChange change{.control = now.control};
  change.ratio = change.low = change.high = *now.ratio / *base.ratio;
  change.evidence = "intervals";
  change.speed = *now.ratio > *base.ratio   ? Speed::slower
                 : *now.ratio < *base.ratio ? Speed::faster
                                            : Speed::same;
  return change;
}

Comparison compared(const Report& base, const Report& now, bool across = false) {
  Comparison comparison = compare(base, now, across, by_ratio);
  const nlohmann::json json = to_json(comparison, "base.json", "new.json", 0);
  EXPECT_EQ(violations(json, "comparison.schema.json"), "");
  return comparison;
}

TEST(Compare, ARunWithItself) {
  const Comparison c = compared(made_up(), made_up());
  ASSERT_EQ(c.cases.size(), 2u);
  EXPECT_EQ(c.cases[0].id, id_of(0));
  EXPECT_EQ(c.cases[0].bits, Bits::same);
  EXPECT_THAT(c.cases[0].costs, IsEmpty());
  EXPECT_THAT(c.cases[0].kernels, ElementsAre(code("convert/pack:pack", 'c'), code(kernel, 'a')));
  EXPECT_THAT(c.added, IsEmpty());
  EXPECT_THAT(c.gone, IsEmpty());
  EXPECT_THAT(c.notes, IsEmpty());
  EXPECT_EQ(outcome_of(c), Outcome::good);
}

TEST(Compare, OtherBitsByTheSameCodeAreAnAlarm) {
  Report now = made_up();
  now.cases[1].checks[2].actual_hash = std::string(32, 'f');
  const Comparison c = compared(made_up(), now);
  EXPECT_EQ(c.cases[0].bits, Bits::same);
  EXPECT_EQ(c.cases[1].bits, Bits::alarm);
  EXPECT_THAT(c.cases[1].differing, ElementsAre("replay 1"));
  EXPECT_EQ(outcome_of(c), Outcome::wrong);
}

TEST(Compare, OtherBitsByOtherCodeAreNone) {
  Report now = made_up();
  now.cases[1].checks[2].actual_hash = std::string(32, 'f');
  now.cases[1].kernels[1] = code(kernel, 'd');
  EXPECT_EQ(compared(made_up(), now).cases[1].bits, Bits::other_code);
  EXPECT_EQ(outcome_of(compared(made_up(), now)), Outcome::good);

  now.cases[1].kernels[1] = code(kernel, 'a');
  now.cases[1].route = kernel + "@sm90";  // no longer packs
  EXPECT_EQ(compared(made_up(), now).cases[1].bits, Bits::other_code);
}

// The stream is in the run's list, and no route names it.
TEST(Compare, AKernelThatTheRouteDoesNotNameIsNoExcuse) {
  Report now = made_up();
  now.cases[1].checks[2].actual_hash = std::string(32, 'f');
  now.cases[1].kernels[2] = code(stream, '6');
  EXPECT_EQ(compared(made_up(), now).cases[1].bits, Bits::alarm);
}

TEST(Compare, CodeThatIsNotKnownIsNoExcuse) {
  Report now = made_up();
  now.cases[1].checks[2].actual_hash = std::string(32, 'f');
  now.cases[1].kernels.erase(now.cases[1].kernels.begin() + 1);
  EXPECT_EQ(compared(made_up(), now).cases[1].bits, Bits::alarm);
  EXPECT_EQ(compared(now, made_up()).cases[1].bits, Bits::alarm);
}

TEST(Compare, SumsOfALibraryOnlyHaveABound) {
  Report base = made_up(), now = made_up();
  base.cases[0].checks = {output("eager within FP64 bound", '1', Kind::bound)};
  now.cases[0].checks = {output("eager within FP64 bound", '2', Kind::bound)};
  EXPECT_EQ(compared(base, now).cases[0].bits, Bits::other_code);
}

TEST(Compare, ChecksOfOtherSizesAndThoseAroundTimingSayNothing) {
  Report base = made_up(), now = made_up();
  for (Report* report : {&base, &now}) report->cases[0].checks.push_back(output("stream after timing", '1'));
  now.cases[0].checks.back().actual_hash = std::string(32, '9');
  now.cases[0].checks[2].elements = 5;
  now.cases[0].checks[2].actual_hash = std::string(32, '9');
  EXPECT_EQ(compared(base, now).cases[0].bits, Bits::same);

  now.cases[0].checks.clear();
  EXPECT_EQ(compared(base, now).cases[0].bits, Bits::none);
}

TEST(Compare, Statuses) {
  const auto with = [](Status status) {
    Report report = made_up();
    report.cases[0].status = status;
    return report;
  };
  EXPECT_EQ(outcome_of(compared(made_up(), with(Status::failed))), Outcome::wrong);
  EXPECT_EQ(outcome_of(compared(with(Status::failed), with(Status::failed))), Outcome::wrong);
  EXPECT_EQ(outcome_of(compared(with(Status::failed), made_up())), Outcome::good);
  EXPECT_EQ(outcome_of(compared(made_up(), with(Status::refused))), Outcome::wrong);
  EXPECT_EQ(outcome_of(compared(with(Status::refused), with(Status::refused))), Outcome::good);
  EXPECT_EQ(outcome_of(compared(made_up(), with(Status::mistrusted))), Outcome::undecided);
  EXPECT_EQ(outcome_of(compared(made_up(), with(Status::skipped))), Outcome::good);
}

TEST(Compare, CountedCost) {
  Report now = made_up();
  now.cases[0].cost = CostRecord{{{"fp16", 12}, {"convert", 1}}, {{"m16n8k16", 8}}, 101, 90, 3, 1};
  now.cases[0].workspace_bytes = 65;
  const Comparison c = compared(made_up(), now);
  EXPECT_THAT(c.cases[0].costs,
              ElementsAre(Amount{"warp instructions convert", 0, 1}, Amount{"warp instructions fp16", 10, 12},
                          Amount{"warp instructions load", 4, 0}, Amount{"global sectors", 100, 101},
                          Amount{"shared conflicts", 0, 3}, Amount{"divergent branches", 2, 1},
                          Amount{"workspace bytes", 64, 65}));
  EXPECT_EQ(outcome_of(c), Outcome::costlier);

  now.cases[0] = passed(0);
  now.cases[0].cost->mma[0].second = 7;
  EXPECT_THAT(compared(made_up(), now).cases[0].costs, ElementsAre(Amount{"mma m16n8k16", 8, 7}));
  EXPECT_EQ(outcome_of(compared(made_up(), now)), Outcome::good);

  now.cases[0].cost.reset();
  EXPECT_THAT(compared(made_up(), now).cases[0].costs, IsEmpty());
}

TEST(Compare, CountsOfABenchmark) {
  Report base = made_up(), now = made_up();
  base.timings = {timed(0, 1)};
  now.timings = {timed(0, 1)};
  for (Report* report : {&base, &now}) report->timings[0].unit = "warp instructions";
  base.timings[0].candidate_median = 100;
  now.timings[0].candidate_median = 101;
  const Comparison c = compared(base, now);
  EXPECT_THAT(c.cases[0].costs, ElementsAre(Amount{"warp instructions of one use", 100, 101}));
  EXPECT_THAT(c.cases[0].times, IsEmpty());
  EXPECT_EQ(outcome_of(c), Outcome::costlier);
}

TEST(Compare, Times) {
  Report base = made_up(), now = made_up();
  base.timings = {timed(0, 1.5), timed(1, 1.5)};
  now.timings = {timed(0, 1.5), timed(1, 1.2)};
  EXPECT_EQ(compared(base, now).cases[0].times.at(0).speed, Speed::same);
  EXPECT_EQ(compared(base, now).cases[1].times.at(0).speed, Speed::faster);
  EXPECT_EQ(outcome_of(compared(base, now)), Outcome::good);
  EXPECT_EQ(compared(now, base).cases[1].times.at(0).speed, Speed::slower);
  EXPECT_EQ(outcome_of(compared(now, base)), Outcome::costlier);
  now.timings[1].control = "cublas";
  EXPECT_THAT(compared(base, now).cases[1].times, IsEmpty());
}

TEST(Compare, TimesAgainstAnotherControlAreAmbiguous) {
  Report base = made_up();
  base.timings = {timed(0, 1)};
  const auto reason = [&](const Report& now) {
    const Comparison c = compared(base, now);
    EXPECT_EQ(c.cases[0].times.at(0).speed, Speed::ambiguous);
    EXPECT_EQ(outcome_of(c), Outcome::undecided);
    return c.cases[0].times.at(0).reason;
  };
  Report now = base;
  now.cases[0].kernels[2] = code(stream, '6');
  EXPECT_EQ(reason(now), "the control's code is another");
  now = base;
  now.timings[0].control_route.reset();
  EXPECT_EQ(reason(now), "the new report does not tell the control's code");
  now = base;
  now.timings[0].sampling = "hot";
  EXPECT_EQ(reason(now), "sampled otherwise: cold; now hot");
}

TEST(Compare, CasesAddedAndGone) {
  Report now = made_up();
  now.cases[0] = passed(2);
  const Comparison c = compared(made_up(), now);
  EXPECT_THAT(c.added, ElementsAre(id_of(2)));
  EXPECT_THAT(c.gone, ElementsAre(id_of(0)));
  ASSERT_EQ(c.cases.size(), 1u);
  EXPECT_EQ(c.cases[0].id, id_of(1));
  EXPECT_EQ(outcome_of(c), Outcome::good);
}

TEST(Compare, NothingInCommon) {
  Report now = made_up();
  now.cases = {passed(2)};
  EXPECT_EQ(outcome_of(compared(made_up(), now)), Outcome::nothing);
  now.cases = {passed(1)};
  now.cases[0].status = Status::skipped;
  EXPECT_EQ(outcome_of(compared(made_up(), now)), Outcome::nothing);
  now.cases.push_back(passed(2));
  now.cases[1].id = id_of(0);
  now.cases[1].status = Status::failed;
  EXPECT_EQ(outcome_of(compared(made_up(), now)), Outcome::wrong);  // the worst wins
}

TEST(Compare, SlowerIsWorseThanAmbiguous) {
  Report base = made_up(), now = made_up();
  base.timings = {timed(0, 1), timed(1, 1)};
  now.timings = {timed(0, 1), timed(1, 2)};
  now.timings[0].sampling = "hot";
  EXPECT_EQ(outcome_of(compared(base, now)), Outcome::costlier);
}

void expect_refused(const Report& now, const std::string& why) {
  try {
    compare(made_up(), now, false, by_ratio);
    ADD_FAILURE() << why;
  } catch (const NotAlike& e) {
    EXPECT_THAT(e.what(), HasSubstr(why));
  }
  EXPECT_THAT(compared(made_up(), now, true).across, ElementsAre(HasSubstr(why)));
}

TEST(Compare, RunsThatAreNotAlikeAreRefusedUnlessAsked) {
  Report now = made_up();
  now.run.seed = 2;
  expect_refused(now, "seed 1, now 2");
  now = made_up();
  now.run.device.name = "another GPU";
  expect_refused(now, "device a GPU (cuda), now another GPU (cuda)");
  now = made_up();
  now.run.device.arithmetic = {{"ampere", "capability"}};
  expect_refused(now, "models hopper, now ampere");
  now = made_up();
  now.run.suite->name = "another";
  expect_refused(now, "suite made-up, now another");
  now = made_up();
  now.cases[1].slice.sha256 = std::string(64, 'e');
  expect_refused(now, "weights of 1 cases, " + id_of(1));
}

TEST(Compare, PartsOfASuiteAndThreadsOfTheEmulatorAreAlike) {
  Report base = made_up(), now = made_up();
  base.run.device.arithmetic = {{"hopper", "case"}, {"ampere", "case"}};
  EXPECT_THAT(compared(base, now).across, IsEmpty());
  base = made_up();
  base.run.device.kind = now.run.device.kind = "emulator";
  now.run.device.name = "PTX emulator, 2 threads";
  EXPECT_THAT(compared(base, now).across, IsEmpty());
}

TEST(Compare, AcrossModelsCasesPairByTheRestOfTheirIds) {
  Report now = made_up();
  now.run.device.arithmetic = {{"ampere", "capability"}};
  for (CaseRecord& c : now.cases) {
    c.id.replace(c.id.find("s8.c2/sm90/hopper"), 17, "s16.c1/sm80/ampere");
    c.target = "sm80";
    c.model = "ampere";
    c.route = kernel + "@sm80";
    for (KernelRecord& k : c.kernels) k.target = "sm80";
    c.checks[0].actual_hash = std::string(32, '9');
  }
  now.cases.push_back(now.cases[0]);  // two that could be the first: neither is
  now.cases.back().id.replace(now.cases.back().id.find("s16.c1"), 6, "s32.c1");
  const Comparison c = compared(made_up(), now, true);
  ASSERT_EQ(c.cases.size(), 1u);
  EXPECT_EQ(c.cases[0].id, "qpn2_gemm/slice1/m8/dual/s16.c1/sm80/ampere/real");
  EXPECT_EQ(c.cases[0].base_id, id_of(1));
  EXPECT_EQ(c.cases[0].bits, Bits::other_code);
  EXPECT_EQ(c.added.size(), 2u);
  EXPECT_THAT(c.gone, ElementsAre(id_of(0)));
}

TEST(Compare, ALedgerThatGrewIsCostlierAndOneThatShrankIsNot) {
  const auto with = [](std::uint64_t rank1, const std::string& policy = "shared") {
    Report report = made_up();
    report.ledger =
        Ledger{2, {{policy, {{0, {{"turbomind_codes", 100}}}, {1, {{"turbomind_codes", rank1}}}}}}};
    return report;
  };
  Comparison c = compared(with(100), with(104));
  EXPECT_THAT(c.ledger, ElementsAre(Amount{"shared turbomind_codes", 200, 204}));
  EXPECT_EQ(outcome_of(c), Outcome::costlier);
  c = compared(with(104), with(100));
  EXPECT_THAT(c.ledger, ElementsAre(Amount{"shared turbomind_codes", 204, 200}));
  EXPECT_EQ(outcome_of(c), Outcome::good);
  EXPECT_THAT(compared(with(100), with(100)).ledger, IsEmpty());
  EXPECT_THAT(compared(with(100), with(104, "dual")).ledger, IsEmpty());
  EXPECT_THAT(compared(made_up(), with(100)).notes, ElementsAre("only the new report has a ledger"));
}

TEST(Compare, NotesTellWhatAFileDoesNot) {
  Report now = made_up();
  now.run.suite.reset();
  now.run.finished = "";
  now.run.device.driver = "14.0";
  const Comparison c = compared(made_up(), now);
  EXPECT_THAT(c.notes, ElementsAre("driver 13.0, now 14.0", "the new report does not name its suite",
                                   "the new run did not finish"));
}

/// Names of properties and values of enumerations anywhere in a schema.
void words_of(const nlohmann::json& schema, std::set<std::string>& words) {
  if (schema.is_object()) {
    if (const auto properties = schema.find("properties"); properties != schema.end())
      for (const auto& [name, value] : properties->items()) words.insert(name);
    if (const auto values = schema.find("enum"); values != schema.end())
      for (const nlohmann::json& value : *values)
        if (value.is_string() && value != "") words.insert(value);
  }
  if (schema.is_structured())
    for (const nlohmann::json& member : schema) words_of(member, words);
}

std::string read(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(QUADPAIR_TEST_DATA "/../" + file).rdbuf();
  return text.str();
}

TEST(Compare, EveryWordOfTheFileIsDocumented) {
  std::set<std::string> words;
  words_of(nlohmann::json::parse(read("reports/comparison.schema.json")), words);
  for (const std::string known_from_reports :
       {"passed", "failed", "skipped", "refused", "mistrusted", "emulator", "cuda"})
    words.erase(known_from_reports);
  EXPECT_GT(words.size(), 40u);
  const std::string docs = read("docs/compare.md");
  for (const std::string& word : words) EXPECT_THAT(docs, HasSubstr("`" + word + "`"));
}

}  // namespace
}  // namespace quadpair::reports
