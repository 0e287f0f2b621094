#include "harness/run/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/common/error.hpp"
#include "kernels/qpn2/gemm.hpp"
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
  EXPECT_EQ(gemm.columns, 160u);
  c.operation = "qpn2_gated";
  c.ldy_extra = 16;
  const Problem gated = make_problem(c, matrix(160, 256));
  EXPECT_EQ(gated.padded_n, 192u);
  EXPECT_EQ(gated.columns, 80u);
  EXPECT_EQ(gated.ldy, 96u);
  EXPECT_EQ(gated.halves, 2u);
}

TEST(Problem, TakesTheTuningTablesChoiceWhereTheCaseHasNone) {
  cases::Case c = small_case();
  c.split_k = c.chains = 0;
  const Problem production = make_problem(c, matrix(5120, 4352));
  EXPECT_EQ(production.op.split_k, 16u);
  EXPECT_EQ(production.op.chains, 2u);
  EXPECT_EQ(production.op.plan, qpn2::accumulation_plan(4352, {16, 2}, Target::sm70));
  c.chains = 1;
  EXPECT_EQ(make_problem(c, matrix(5120, 4352)).op.chains, 1u);
}

/// The route of a dispatch over [5120, 1536].
std::vector<std::string_view> route(std::uint32_t m, const char* operation = "qpn2_dispatch",
                                    const char* layout = "shared", std::uint32_t dense_rows = 1024) {
  cases::Case c = small_case("sm90", "hopper");
  c.operation = operation;
  c.layout = layout;
  c.m = m;
  c.dense_rows = dense_rows;
  return make_problem(c, matrix(5120, 1536)).op.route;
}

TEST(Problem, ADispatchIntendsTheRouteOfItsRows) {
  using testing::ElementsAre;
  EXPECT_THAT(route(0), testing::IsEmpty());
  EXPECT_THAT(route(1), ElementsAre("qpn2/gemm"));
  EXPECT_THAT(route(32), ElementsAre("qpn2/gemm"));
  EXPECT_THAT(route(33), ElementsAre("wide/tm_gemm"));
  EXPECT_THAT(route(1023), ElementsAre("wide/tm_gemm"));
  EXPECT_THAT(route(1024), ElementsAre("dense/decode", "dense/gemm"));
  EXPECT_THAT(route(1024, "qpn2_dispatch", "shared", 0), ElementsAre("wide/tm_gemm"));
  EXPECT_THAT(route(32, "qpn2_dispatch_gated"), ElementsAre("qpn2/gated"));
  EXPECT_THAT(route(33, "qpn2_dispatch_gated"), ElementsAre("wide/tm_gemm", "wide/silu_and_mul"));
  EXPECT_THAT(route(64, "qpn2_dispatch", "temporary"),
              ElementsAre("convert/turbomind:restore_tm_scales", "wide/tm_gemm"));
}

TEST(Problem, RefusesASliceOfKThatWouldBeDropped) {
  EXPECT_THROW(make_problem(small_case(), matrix(64, 576)), Refused);
  EXPECT_NO_THROW(make_problem(small_case("sm90", "hopper"), matrix(64, 576)));
}

}  // namespace
}  // namespace quadpair::run
