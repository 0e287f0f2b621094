// Kernels compiled with one damage must fail, and the first wrong element must be named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/run/case_runner.hpp"
#include "tests/harness/run/support.hpp"
#include "tests/kernels/damaged/damaged.hpp"

namespace quadpair::run {
namespace {

using damaged::Damage;
using damaged::Variant;
using reports::Status;

class Damaged : public testing::TestWithParam<std::tuple<Variant, std::pair<std::string, std::string>>> {
 protected:
  /// The record of a case that runs the damaged module of `variant`.
  reports::CaseRecord run(const Variant& variant, const std::string& operation) const {
    const auto& [target, model] = std::get<1>(GetParam());
    Options options = emulator_options();
    options.find_module = [variant](std::string_view name, Target wanted) -> const Module& {
      return damaged::find_module(variant, name, wanted);
    };
    cases::Case c = small_case(target, model);
    c.operation = operation;
    c.slice = "edge.all_codes_2688";  // K = 256: a warp sums more than one group
    c.m = 17;
    Resources resources(options);
    return run_case(c, options, resources, 1);
  }
};

TEST_P(Damaged, FailsNamingTheFirstWrongElement) {
  const Variant& variant = std::get<0>(GetParam());
  const bool packs = variant.module == "convert/pack_qpn2";
  const reports::CaseRecord r = run(variant, variant.module == "qpn2/gated" ? "qpn2_gated" : "qpn2_gemm");
  ASSERT_EQ(r.status, Status::failed);

  const bool codes = variant.damage == Damage::nibble_order;
  EXPECT_EQ(check(r, "packed codes").passed(), !(packs && codes));
  EXPECT_EQ(check(r, "packed scales").passed(), !(packs && !codes));
  const std::string first_wrong = !packs ? "eager" : codes ? "packed codes" : "packed scales";
  for (const std::string& name : {first_wrong, std::string("eager")}) {
    const reports::Check& wrong = check(r, name);
    ASSERT_TRUE(wrong.first) << name << ": " << r.reason;
    EXPECT_NE(wrong.first->expected, wrong.first->actual);
    EXPECT_NE(wrong.expected_hash, wrong.actual_hash);
    EXPECT_THAT(reports::describe(wrong), testing::HasSubstr(", first at "));
  }
  EXPECT_THAT(r.reason, testing::HasSubstr(first_wrong));

  const Target target = *target_from_string(std::get<1>(GetParam()).first);
  EXPECT_EQ((packs ? r.kernels.front() : r.kernels.back()).sha256,
            damaged::damaged_module(variant, target).ptx_sha256);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, Damaged,
    testing::Combine(testing::ValuesIn(damaged::all_variants),
                     testing::Values(std::pair("sm70", "volta"), std::pair("sm80", "ampere"),
                                     std::pair("sm90", "hopper"))),
    [](const auto& param) { return label(std::get<0>(param.param)) + "_" + std::get<1>(param.param).first; });

}  // namespace
}  // namespace quadpair::run
