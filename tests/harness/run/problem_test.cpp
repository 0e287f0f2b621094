#include "harness/run/problem.hpp"

#include <gtest/gtest.h>

#include "kernels/common/error.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

cases::QuantizedMatrix matrix(std::uint32_t n, std::uint32_t k) {
  cases::QuantizedMatrix m;
  m.n = n;
  m.k = k;
  return m;
}

TEST(Problem, PadsEachHalfOfAGatedMatrix) {
  cases::Case c = small_case();
  const Problem gemm = make_problem(c, matrix(160, 256));
  EXPECT_EQ(gemm.padded_n, 160u);
  EXPECT_EQ(gemm.columns(), 160u);
  c.operation = "qpn2_gated";
  c.ldy_extra = 16;
  const Problem gated = make_problem(c, matrix(160, 256));
  EXPECT_EQ(gated.padded_n, 192u);
  EXPECT_EQ(gated.columns(), 80u);
  EXPECT_EQ(gated.ldy, 96u);
  EXPECT_EQ(gated.halves(), 2u);
}

TEST(Problem, TakesTheTuningTablesChoiceWhereTheCaseHasNone) {
  cases::Case c = small_case();
  c.split_k = c.chains = 0;
  const Problem production = make_problem(c, matrix(5120, 4352));
  EXPECT_EQ(production.tuning, (qpn2::Tuning{16, 2}));
  c.chains = 1;
  EXPECT_EQ(make_problem(c, matrix(5120, 4352)).tuning, (qpn2::Tuning{16, 1}));
}

TEST(Problem, RefusesASliceOfKThatWouldBeDropped) {
  EXPECT_THROW(make_problem(small_case(), matrix(64, 576)), Refused);
  EXPECT_NO_THROW(make_problem(small_case("sm90", "hopper"), matrix(64, 576)));
}

}  // namespace
}  // namespace quadpair::run
