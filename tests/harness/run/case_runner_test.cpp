#include "harness/run/case_runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

using reports::Status;
using testing::Each;
using testing::HasSubstr;
using testing::Property;

reports::CaseRecord run_one(const cases::Case& c, const Options& options = emulator_options()) {
  Resources resources(options);
  return run_case(c, options, resources, 1);
}

class EveryTarget : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(EveryTarget, PassesAndRecordsWhatRan) {
  const auto [target, model] = GetParam();
  const reports::CaseRecord r = run_one(small_case(target, model));
  ASSERT_EQ(r.status, Status::passed) << r.reason << r.notes;
  EXPECT_THAT(r.checks, Each(Property(&reports::Check::passed, true)));
  for (const char* name : {"eager", "replay 1", "replay 2", "eager again"})
    EXPECT_EQ(check(r, name).elements, 300u);
  EXPECT_NE(check(r, "replay 1").expected_hash, check(r, "eager").expected_hash);
  EXPECT_EQ(check(r, "eager again").actual_hash, check(r, "replay 2").actual_hash);
  EXPECT_EQ(check(r, "packed codes").elements, 128u * 128 / 2);
  EXPECT_EQ(check(r, "packed scales").elements, 128u * 128 / 16);
  EXPECT_EQ(check(r, "packed TurboMind codes").elements, 128u * 128 / 2);
  EXPECT_EQ(check(r, "packed TurboMind scales").elements, 128u * 128 / 8);
  EXPECT_EQ(r.coverage.codes_seen, 16u);
  EXPECT_EQ(r.shape.padded_n, 128u);
  EXPECT_THAT(r.slice.sha256, testing::SizeIs(64));
  EXPECT_THAT(r.route, testing::MatchesRegex("qpn2/gemm:[a-z0-9_]+@" + target));
  ASSERT_FALSE(r.kernels.empty());
  for (const reports::KernelRecord& kernel : r.kernels) {
    EXPECT_GT(kernel.registers, 0u);
    EXPECT_EQ(kernel.spill_bytes, 0u);
  }
  ASSERT_TRUE(r.cost);
  EXPECT_THAT(r.cost->mma, testing::SizeIs(model == "fma-lowered" ? testing::Ge(0) : testing::Ge(1)));
  EXPECT_GT(r.seconds.device, 0);
  EXPECT_EQ(r.repro, "quadpair verify --filter '^qpn2_gemm/edge\\.all_codes/m3/dual/s8\\.c2/" + target + "/" +
                         model + "/normal$'");
}

INSTANTIATE_TEST_SUITE_P(Targets, EveryTarget,
                         testing::Values(std::pair("sm70", "volta"), std::pair("sm70", "turing"),
                                         std::pair("sm70", "fma-lowered"), std::pair("sm80", "ampere"),
                                         std::pair("sm90", "hopper")));

TEST(CaseRunner, TheSameCaseGivesTheSameHashes) {
  const reports::CaseRecord a = run_one(small_case()), b = run_one(small_case());
  EXPECT_EQ(check(a, "eager").actual_hash, check(b, "eager").actual_hash);
  Options other = emulator_options();
  other.seed = 2;
  EXPECT_NE(check(run_one(small_case(), other), "eager").actual_hash, check(a, "eager").actual_hash);
}

TEST(CaseRunner, BytesBetweenOutputsStayAsTheyWere) {
  cases::Case c = small_case();
  c.ldy_extra = 3;
  c.y_before = 5;
  const reports::CaseRecord r = run_one(c);
  ASSERT_EQ(r.status, Status::passed) << r.reason;
  EXPECT_EQ(check(r, "bytes between outputs").elements, 4u * (5 + 3 * 3) * 2);  // runs x elements x bytes
}

TEST(CaseRunner, NoRowsLaunchNothingAndTouchNothing) {
  cases::Case c = small_case();
  c.m = 0;
  const reports::CaseRecord r = run_one(c);
  ASSERT_EQ(r.status, Status::passed) << r.reason;
  EXPECT_EQ(check(r, "nothing launched").elements, 1u);
  EXPECT_GE(check(r, "bytes between outputs").elements, 200u);
}

TEST(CaseRunner, AWantedRefusalPasses) {
  cases::Case c = small_case();
  c.m = 65;
  c.refused = "65";
  const reports::CaseRecord r = run_one(c);
  EXPECT_EQ(r.status, Status::passed);
  EXPECT_THAT(r.reason, HasSubstr("at most 64 rows"));
}

TEST(CaseRunner, ARefusalForAnotherReasonFails) {
  cases::Case c = small_case();
  c.m = 65;
  c.refused = "scale";
  EXPECT_EQ(run_one(c).status, Status::failed);
}

TEST(CaseRunner, AWantedRefusalThatDoesNotComeFails) {
  cases::Case c = small_case();
  c.refused = "rows";
  const reports::CaseRecord r = run_one(c);
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_THAT(r.reason, HasSubstr("should have been refused"));
}

TEST(CaseRunner, AnUnexpectedRefusalIsRefused) {
  cases::Case c = small_case();
  c.m = 65;
  const reports::CaseRecord r = run_one(c);
  EXPECT_EQ(r.status, Status::refused);
  EXPECT_THAT(r.reason, HasSubstr("M=65"));
  EXPECT_TRUE(r.checks.empty());
}

TEST(CaseRunner, BadNamesAreRefusedByName) {
  const auto refused = [](const char* name, auto change) {
    cases::Case c = small_case();
    change(c);
    const reports::CaseRecord r = run_one(c);
    EXPECT_EQ(r.status, Status::refused) << name;
    EXPECT_THAT(r.reason, HasSubstr(name));
  };
  refused("no.such.slice", [](cases::Case& c) { c.slice = "no.such.slice"; });
  refused("no_such_operator", [](cases::Case& c) { c.operation = "no_such_operator"; });
  refused("sm71", [](cases::Case& c) { c.target = "sm71"; });
  refused("kepler", [](cases::Case& c) { c.model = "kepler"; });
  refused("ampere", [](cases::Case& c) { c.model = "ampere"; });  // does not define m8n8k4
  refused("no_such_fill", [](cases::Case& c) { c.fill = "no_such_fill"; });
  refused("separate", [](cases::Case& c) { c.layout = "separate"; });
}

TEST(CaseRunner, ScalesThatCannotBeUsedAreRefusedByPlace) {
  cases::Case c = small_case();
  c.slice = "refused.scale_nan";
  const reports::CaseRecord r = run_one(c);
  EXPECT_EQ(r.status, Status::refused);
  EXPECT_THAT(r.reason, HasSubstr("row 37"));
}

TEST(CaseRunner, TheBudgetEndsACase) {
  Options options = emulator_options();
  options.make_device = [](reference::Model model, unsigned threads) {
    device::EmulatorOptions emulator;
    emulator.model = model;
    emulator.threads = threads;
    emulator.budget = 100;
    return device::make_emulator(emulator);
  };
  const reports::CaseRecord r = run_one(small_case(), options);
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_THAT(r.reason, HasSubstr("device fault"));
}

TEST(CaseRunner, DataThatCannotShowAFaultIsMistrusted) {
  cases::Case c = small_case();
  c.slice = "edge.unit";
  c.fill = "exact";
  const reports::CaseRecord r = run_one(c);
  EXPECT_EQ(r.status, Status::mistrusted);
  EXPECT_THAT(r.reason, HasSubstr("order"));
  c.judges_order = false;
  EXPECT_EQ(run_one(c).status, Status::passed);
}

}  // namespace
}  // namespace quadpair::run
