// Kernels compiled with one damage must fail, and the first wrong element must be named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/run/case_runner.hpp"
#include "tests/harness/run/support.hpp"
#include "tests/kernels/damaged/damaged.hpp"

namespace quadpair::run {
namespace {

using compare::Status;
using damaged::Damage;

class Damaged : public testing::TestWithParam<std::tuple<Damage, std::pair<std::string, std::string>>> {};

TEST_P(Damaged, FailsNamingTheFirstWrongElement) {
  const auto& [damage, place] = GetParam();
  Options options = emulator_options();
  options.find_module = [damage = damage](std::string_view name, Target target) -> const Module& {
    return name == "qpn2/gemm" ? damaged::damaged_module(damage, target) : find_module(name, target);
  };
  cases::Case c = small_case(place.first, place.second);
  c.slice = "edge.all_codes_2688";  // K = 256: a warp sums more than one group
  c.m = 17;
  Resources resources(options);
  const reports::CaseRecord r = run_case(c, options, resources, 1);
  ASSERT_EQ(r.status, Status::failed);
  const compare::Check& eager = check(r, "eager");
  ASSERT_TRUE(eager.first) << r.reason;
  EXPECT_NE(eager.first->expected, eager.first->actual);
  EXPECT_NE(eager.expected_hash, eager.actual_hash);
  EXPECT_TRUE(check(r, "packed codes").passed());
  EXPECT_EQ(r.kernels.back().sha256,
            damaged::damaged_module(damage, *target_from_string(place.first)).ptx_sha256);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Damaged,
                         testing::Combine(testing::ValuesIn(damaged::all_damages),
                                          testing::Values(std::pair("sm70", "volta"),
                                                          std::pair("sm80", "ampere"),
                                                          std::pair("sm90", "hopper"))),
                         [](const auto& param) {
                           return std::string(damaged::to_string(std::get<0>(param.param))) + "_" +
                                  std::get<1>(param.param).first;
                         });

}  // namespace
}  // namespace quadpair::run
