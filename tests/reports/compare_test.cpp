// What becomes of a case: its bits, cost and time.
#include "reports/compare/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reports/made_up.hpp"

namespace quadpair::reports {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

}  // namespace
}  // namespace quadpair::reports
