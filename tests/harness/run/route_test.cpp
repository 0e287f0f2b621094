#include "harness/run/route.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/run/verify_matrix.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {


Launch launch(const char* module, const char* entry) {
  Launch made;
  made.module = &find_module(module, Target::sm90);
  made.entry = entry;
  return made;
}

/// The launches that the tests compose: made when a test runs, since modules are.
struct Launches {
  Launch gemm = launch("qpn2/gemm", "qpn2_gemm_s8_c1_r1_q2");
  Launch restore = launch("convert/turbomind", "restore_tm_scales");
  Launch wide = launch("wide/tm_gemm", "a"), decode = launch("dense/decode", "b"),
         dense = launch("dense/gemm", "c");
};

bool passes(std::vector<std::string_view> intended, std::vector<Launch> launches) {
  return route_check(intended, launches).check.passed();
}

TEST(Route, KernelsAreNamedByModuleOrEntry) {
  const auto [gemm, restore, wide, decode, dense] = Launches{};
  EXPECT_TRUE(passes({}, {}));
  EXPECT_TRUE(passes({"qpn2/gemm"}, {gemm}));
  EXPECT_TRUE(passes({"convert/turbomind:restore_tm_scales", "wide/tm_gemm"}, {restore, wide}));
  EXPECT_FALSE(passes({"convert/turbomind:pack_turbomind", "wide/tm_gemm"}, {restore, wide}));
  EXPECT_TRUE(passes({"dense/decode", "dense/gemm"}, {decode, dense, decode, dense}));
}

TEST(Route, OtherKernelsMissingOnesAndAnotherOrderFail) {
  const auto [gemm, restore, wide, decode, dense] = Launches{};
  EXPECT_FALSE(passes({"qpn2/gemm"}, {}));
  EXPECT_FALSE(passes({}, {gemm}));
  EXPECT_FALSE(passes({"qpn2/gemm"}, {wide}));
  EXPECT_FALSE(passes({"qpn2/gemm"}, {gemm, wide}));
  EXPECT_FALSE(passes({"dense/decode", "dense/gemm"}, {dense, decode}));
  EXPECT_FALSE(passes({"dense/decode", "dense/gemm"}, {decode}));
  const std::vector<std::string_view> intended = {"wide/tm_gemm"};
  EXPECT_EQ(route_check(intended, std::vector{gemm}).note,
            "launched qpn2/gemm:qpn2_gemm_s8_c1_r1_q2, not wide/tm_gemm; ");
}

TEST(Route, RowsServedByAnotherFamilyFailTheirCase) {
  cases::Case c = small_case();
  c.operation = "qpn2_dispatch";
  c.layout = "shared";
  c.m = 9;
  c.qpn2_rows = 8;
  const auto weights = cases::load_slice(c.slice, 1);
  const Options options = emulator_options();
  DevicePool devices(options.make_device);
  const auto status = [&](const Problem& problem) {
    reports::CaseRecord record;
    verify_matrix(c, problem, Matrix(weights, 1), options, devices, 1, record);
    EXPECT_EQ(check(record, "route").passed(), record.status == reports::Status::passed);
    return record.status;
  };
  Problem problem = make_problem(c, *weights);
  EXPECT_EQ(status(problem), reports::Status::passed);
  problem.op.route = {"qpn2/gemm"};  // as if the threshold were the usual one, and nobody had noticed
  EXPECT_EQ(status(problem), reports::Status::failed);
}

}  // namespace
}  // namespace quadpair::run
