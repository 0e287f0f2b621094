// Kernels compiled with one damage must fail, and the first wrong element must be named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/run/case_runner.hpp"
#include "tests/harness/run/support.hpp"
#include "tests/kernels/damaged/damaged.hpp"

namespace quadpair::run {
namespace {

using damaged::Damage;
using damaged::Variant;
using reports::Status;

/// A case that shows a damage, and the checks that fail; the reason names the first.
struct Showing {
  std::string operation, slice;
  std::vector<std::string> wrong;
};

Showing showing(const Variant& variant) {
  const std::string all_codes = "edge.all_codes_2688";  // K = 256: a warp sums more than one group
  if (variant.module == "qpn2/gemm") return {"qpn2_gemm", all_codes, {"eager"}};
  if (variant.module == "qpn2/gated") return {"qpn2_gated", all_codes, {"eager"}};
  if (variant.module == "convert/pack_qpn2")
    return {"qpn2_gemm",
            all_codes,
            {variant.damage == Damage::nibble_order ? "packed codes" : "packed scales", "eager"}};
  if (variant.module == "qpn8/gemm") return {"qpn8_gemm", "fp8.block", {"eager"}};
  if (variant.module == "qpn8/pack") return {"qpn8_gemm", "fp8.block", {"packed codes", "eager"}};
  if (variant.module == "qpn8/quantize")
    return {"qpn8_gemm", "fp8.quantized", {"codes", "packed codes", "eager"}};
  if (variant.module == "lm_head/screen") return {"lm_head", "edge.head.repeats", {"candidates, eager"}};
  if (variant.module == "lm_head/rerank") return {"lm_head", "edge.head.repeats", {"ids, eager"}};
  return {"lm_head_top1", "edge.head.repeats", {"ids, eager"}};
}

class Damaged : public testing::TestWithParam<std::tuple<Variant, std::pair<std::string, std::string>>> {
 protected:
  /// The record of a case that runs the damaged module of `variant`.
  reports::CaseRecord run(const Variant& variant, const Showing& shown) const {
    const auto& [target, model] = std::get<1>(GetParam());
    Options options = emulator_options();
    options.find_module = [variant](std::string_view name, Target wanted) -> const Module& {
      return damaged::find_module(variant, name, wanted);
    };
    cases::Case c = small_case(target, model);
    c.operation = shown.operation;
    c.slice = shown.slice;
    const bool head = shown.operation.starts_with("lm_head");
    c.m = head ? 2 : 17;
    c.top = 21;
    Resources resources(options);
    return run_case(c, options, resources, 1);
  }
};

TEST_P(Damaged, FailsNamingTheFirstWrongElement) {
  const Variant& variant = std::get<0>(GetParam());
  const Showing shown = showing(variant);
  const reports::CaseRecord r = run(variant, shown);
  ASSERT_EQ(r.status, Status::failed) << r.reason;

  for (const std::string& name : shown.wrong) {
    const reports::Check& wrong = check(r, name);
    ASSERT_TRUE(wrong.first) << name << ": " << r.reason;
    EXPECT_NE(wrong.first->expected, wrong.first->actual);
    EXPECT_NE(wrong.expected_hash, wrong.actual_hash);
    EXPECT_THAT(reports::describe(wrong), testing::HasSubstr(", first at "));
  }
  EXPECT_THAT(r.reason, testing::HasSubstr(shown.wrong.front()));
  for (const std::string name : {"codes", "scales", "packed codes", "packed scales"}) {
    const auto found = std::ranges::find(r.checks, name, &reports::Check::name);
    const bool expected_wrong = std::ranges::find(shown.wrong, name) != shown.wrong.end();
    EXPECT_TRUE(found == r.checks.end() || found->passed() != expected_wrong) << name;
  }

  const Target target = *target_from_string(std::get<1>(GetParam()).first);
  const std::string_view damaged = damaged::damaged_module(variant, target).ptx_sha256;
  EXPECT_TRUE(std::ranges::any_of(
      r.kernels, [&](const reports::KernelRecord& kernel) { return kernel.sha256 == damaged; }));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, Damaged,
    testing::Combine(testing::ValuesIn(damaged::all_variants),
                     testing::Values(std::pair("sm70", "volta"), std::pair("sm80", "ampere"),
                                     std::pair("sm90", "hopper"))),
    [](const auto& param) { return label(std::get<0>(param.param)) + "_" + std::get<1>(param.param).first; });

}  // namespace
}  // namespace quadpair::run
