#include <gtest/gtest.h>

#include <cstring>

#include "harness/compare/hash.hpp"
#include "harness/run/case_runner.hpp"
#include "tests/harness/run/support.hpp"
#include "tests/kernels/damaged/damaged.hpp"

namespace quadpair::run {
namespace {

reports::CaseRecord run(SaveArrays save, bool damaged = false) {
  Options options = emulator_options();
  options.save_arrays = save;
  if (damaged)
    options.find_module = [](std::string_view name, Target target) -> const Module& {
      return damaged::find_module({"qpn2/gemm", damaged::Damage::wrong_shift}, name, target);
    };
  Resources resources(options);
  return run_case(small_case(), options, resources, 1);
}

std::string hash_of(const std::optional<reports::HalfMatrix>& matrix) {
  return compare::hash(std::as_bytes(std::span(matrix.value().bits)));
}

TEST(KeptArrays, AreWhatWentInAndCameOut) {
  const reports::CaseRecord record = run(SaveArrays::always);
  ASSERT_EQ(record.status, reports::Status::passed) << record.reason;
  ASSERT_TRUE(record.arrays);
  const reports::CaseArrays& arrays = *record.arrays;
  EXPECT_EQ(arrays.output, "eager");
  EXPECT_EQ(hash_of(arrays.expected), check(record, "eager").expected_hash);
  EXPECT_EQ(arrays.actual, arrays.expected);
  EXPECT_EQ(arrays.actual->rows, 3u);
  EXPECT_EQ(arrays.actual->columns, 100u);
  EXPECT_EQ(arrays.activations->rows, 3u);
  EXPECT_EQ(arrays.activations->columns, 128u);
  EXPECT_EQ(arrays.activations->bits.size(), 3u * 128);
  const auto weights = cases::load_slice("edge.all_codes", 1);
  ASSERT_EQ(arrays.codes.size(), weights->codes.size());
  EXPECT_EQ(std::memcmp(arrays.codes.data(), weights->codes.data(), arrays.codes.size()), 0);
  EXPECT_EQ(arrays.scales.size(), weights->scales.size());
  EXPECT_EQ(arrays.global_scale, weights->globals);
}

TEST(KeptArrays, OfFailuresAreThoseOfTheFirstWrongOutput) {
  EXPECT_FALSE(run(SaveArrays::failures).arrays);
  EXPECT_FALSE(run(SaveArrays::never, true).arrays);
  const reports::CaseRecord record = run(SaveArrays::failures, true);
  ASSERT_EQ(record.status, reports::Status::failed);
  ASSERT_TRUE(record.arrays);
  const reports::Check& wrong = check(record, record.arrays->output);
  EXPECT_EQ(hash_of(record.arrays->expected), wrong.expected_hash);
  EXPECT_EQ(hash_of(record.arrays->actual), wrong.actual_hash);
  EXPECT_FALSE(wrong.passed());
}

}  // namespace
}  // namespace quadpair::run
