#include "harness/run/evidence.hpp"

#include <gtest/gtest.h>

#include "harness/inputs/inputs.hpp"
#include "harness/run/matrix.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

bool sums_exact(const std::string& slice, const std::string& fill, std::uint32_t m) {
  cases::Case c = small_case();
  c.slice = slice;
  c.fill = fill;
  c.m = m;
  const auto weights = cases::load_slice(slice, 1);
  const inputs::Inputs rows = inputs::make_inputs(c, weights, 1, 0);
  return sampled_sums_exact(Matrix(weights, 1).decoded(DecodeRule::qpn2), m, rows.ldx, rows.x);
}

TEST(Evidence, TellsExactSumsFromOthers) {
  EXPECT_TRUE(sums_exact("edge.unit", "exact", 5));
  EXPECT_TRUE(sums_exact("edge.all_codes", "onehot", 5));
  EXPECT_FALSE(sums_exact("edge.all_codes", "normal", 1));
  EXPECT_FALSE(sums_exact("edge.all_codes", "heavy", 33));
}

TEST(Evidence, NoSumsShowNothing) {
  EXPECT_TRUE(sums_exact("edge.all_codes", "normal", 0));
}

}  // namespace
}  // namespace quadpair::run
