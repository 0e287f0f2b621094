#include "reference/gemm/gemm.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <set>

#include "reference/gemm/gated.hpp"
#include "tests/reference/gemm/gemm_cases.hpp"

namespace quadpair::reference::test {
namespace {

std::vector<float> vectorised(const Operands& o, const AccumulationPlan& plan, Model model) {
  return o.matrix().sums(o.x.data(), o.m, o.ldx, plan, model);
}

/// "" when the vectorised sums, and the results rounded to FP16, are those of the definition.
std::string compare(const Operands& o, const AccumulationPlan& plan, Model model) {
  const std::vector<float> expected = scalar_sums(o, plan, model);
  const GemmMatrix matrix = o.matrix();
  std::string of_sums = difference(expected, matrix.sums(o.x.data(), o.m, o.ldx, plan, model), o.n);
  if (!of_sums.empty()) return of_sums;
  return difference(rounded(expected), matrix.gemm(o.x.data(), o.m, o.ldx, plan, model), o.n);
}

class EveryModel : public testing::TestWithParam<Model> {};

std::string model_name(const testing::TestParamInfo<Model>& info) {
  std::string name{to_string(info.param)};
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Reference, EveryModel, testing::ValuesIn(all_models), model_name);

TEST_P(EveryModel, MeetsTheDefinitionForEveryFill) {
  for (const Fill fill : all_fills) {
    const Operands o(fill, 9, 70, 512, 512, 1, 1);
    EXPECT_EQ(compare(o, plan_for(GetParam(), 512, 8, 2), GetParam()), "") << to_string(fill);
  }
}

TEST_P(EveryModel, MeetsTheDefinitionForEverySplit) {
  for (const Fill fill : {Fill::normal, Fill::any_finite}) {
    const Operands o(fill, 3, 33, 1024, 1032, 1, 2);
    for (const std::uint32_t split :
         {1U, 2U, 8U, 16U, 32U})  // native: 16 units, so 32 slices leave empty ones
      for (const std::uint32_t chains : {1U, 2U})
        EXPECT_EQ(compare(o, plan_for(GetParam(), 1024, split, chains), GetParam()), "")
            << to_string(fill) << " S " << split << " C " << chains;
  }
}

TEST_P(EveryModel, MeetsTheDefinitionForUnevenSlices) {
  const Operands o(Fill::any_finite, 5, 40, 640, 640, 1, 3);
  AccumulationPlan plan = plan_for(GetParam(), 640, 1, 2);
  const std::uint32_t units = 640 / plan.unit_k;
  plan.slices = {0, 0, 1, 4, 4, 5, units, units};
  EXPECT_EQ(compare(o, plan, GetParam()), "");
}

TEST_P(EveryModel, MeetsTheDefinitionForEveryNumberOfRows) {
  for (std::uint32_t m = 1; m <= 40; ++m) {
    const Operands o(Fill::normal, m, 7, 128, 131, 1, m);
    EXPECT_EQ(compare(o, plan_for(GetParam(), 128, 2, 2), GetParam()), "") << "M " << m;
  }
}

TEST_P(EveryModel, MeetsTheDefinitionForOddNumbersOfColumns) {
  for (const std::uint32_t n : {1U, 31U, 63U, 64U, 65U, 129U}) {
    const Operands o(Fill::normal, 2, n, 128, 128, 1, n);
    EXPECT_EQ(compare(o, plan_for(GetParam(), 128, 2, 1), GetParam()), "") << "N " << n;
  }
}

TEST_P(EveryModel, GivesTheSameBitsOnEverySimdTarget) {
  std::set<std::int64_t> tried;
  for (std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS; targets != 0; targets &= targets - 1) {
    const std::int64_t target = targets & -targets;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    for (const Fill fill : all_fills) {
      const Operands o(fill, 9, 70, 256, 256, 1, 4);
      EXPECT_EQ(compare(o, plan_for(GetParam(), 256, 2, 2), GetParam()), "")
          << to_string(fill) << " on " << hwy::TargetName(target);
    }
    tried.insert(target);
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  EXPECT_GE(tried.size(), 2U) << "no second SIMD target to compare with";
}

TEST_P(EveryModel, GivesTheSameBitsWithAnyNumberOfThreads) {
  const Operands o(Fill::any_finite, 6, 300, 256, 256, 1, 5);
  const AccumulationPlan plan = plan_for(GetParam(), 256, 4, 2);
  const std::vector<float> all = vectorised(o, plan, GetParam());
  for (const std::size_t threads : {1U, 2U, 3U}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    EXPECT_EQ(difference(all, vectorised(o, plan, GetParam()), o.n), "") << threads << " threads";
  }
}

TEST_P(EveryModel, GatedRoundsBothHalvesAndThenTheirProduct) {
  const Operands o(Fill::normal, 4, 160, 256, 256, 2, 6);
  const AccumulationPlan plan = plan_for(GetParam(), 256, 2, 2);
  const std::vector<Half> sums = rounded(scalar_sums(o, plan, GetParam()));
  std::vector<Half> expected;
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t i = 0; i < 80; ++i)
      expected.push_back(mul(silu(sums[row * 160 + i]), sums[row * 160 + 80 + i]));
  const auto actual = o.matrix().gated(o.x.data(), o.m, o.ldx, plan, GetParam());
  EXPECT_EQ(difference(expected, actual, 80), "");
}

// Sixteen products of full significands and a c of their exponent: 16 . (2 - 2^-10)^2 + 1.998 > 2^6 in units
// of 2^E, which is more than 2^31 units of 2^(E-25).
TEST(Gemm, HopperStepsSumPastThirtyOneBits) {
  Operands o(Fill::full_significands, 2, 2, 64, 64, 1, 10);
  std::ranges::fill(o.codes, std::uint8_t{0x22});
  for (std::size_t i = 0; i < o.x.size(); ++i) {
    const std::size_t step = i % 16 / 4;  // the first leaves c = 1.998 . 2^E, the second adds to it
    const Half magnitude = step == 0 ? 0x3FFF - (5 << 10) : step == 1 ? 0x3FFF : 0;
    o.x[i] = magnitude | (i < 64 ? 0 : 0x8000);
  }
  EXPECT_EQ(compare(o, native_plan(64, 1, 1), Model::hopper), "");
}

TEST(Gemm, ModelsDifferOnTheSameOperands) {
  const Operands o(Fill::normal, 8, 64, 1024, 1024, 1, 7);
  const auto volta = vectorised(o, sm70_plan(1024, 8, 2), Model::volta);
  EXPECT_EQ(volta, vectorised(o, sm70_plan(1024, 8, 2), Model::turing));
  EXPECT_NE(volta, vectorised(o, sm70_plan(1024, 8, 2), Model::fma_lowered));
  EXPECT_NE(volta, vectorised(o, sm70_plan(1024, 8, 1), Model::volta));
  EXPECT_NE(vectorised(o, native_plan(1024, 8, 2), Model::ampere),
            vectorised(o, native_plan(1024, 8, 2), Model::hopper));
}

TEST(Gemm, GivesItsWeightsBack) {
  const Operands o(Fill::any_finite, 0, 200, 96, 96, 1, 11);
  const std::vector<Half> weights = decode_qpn2(o.view());
  const std::vector<Half> expected(weights.begin() + 50 * 96, weights.end());
  EXPECT_EQ(o.matrix().rows(50, 150), expected);
}

TEST(Gemm, RefusesWeightsOfAnotherShape) {
  const std::vector<Half> weights(64 * 32);
  EXPECT_NO_THROW(GemmMatrix(weights, 64, 32, 2));
  EXPECT_THROW(GemmMatrix(weights, 63, 32), std::invalid_argument);
  EXPECT_THROW(GemmMatrix(weights, 64, 32, 3), std::invalid_argument);
  EXPECT_THROW(GemmMatrix(weights, 64, 32, 0), std::invalid_argument);
}

TEST(Gemm, NoRowsGiveNothing) {
  const Operands o(Fill::normal, 0, 64, 64, 64, 1, 8);
  EXPECT_TRUE(vectorised(o, sm70_plan(64, 1, 1), Model::volta).empty());
}

TEST(Gemm, RefusesWhatIsNotDefined) {
  const Operands o(Fill::normal, 1, 32, 128, 128, 1, 9);
  EXPECT_THROW(vectorised(o, sm70_plan(64, 1, 1), Model::volta), std::invalid_argument) << "another k";
  EXPECT_THROW(vectorised(o, sm70_plan(128, 1, 1), Model::ampere), std::invalid_argument) << "m8n8k4";
  EXPECT_THROW(vectorised(o, native_plan(128, 1, 1), Model::volta), std::invalid_argument) << "m16n8k16";
  AccumulationPlan eight = native_plan(128, 1, 1);
  eight.mma = MmaShape::m16n8k8;
  for (FusedStep& step : eight.steps) step.k.resize(8);
  EXPECT_THROW(vectorised(o, eight, Model::turing), std::invalid_argument) << "m16n8k8";
  AccumulationPlan plan = sm70_plan(128, 2, 2);
  plan.steps[0].chain = 2;
  EXPECT_THROW(vectorised(o, plan, Model::volta), std::invalid_argument) << "no such chain";
  plan = sm70_plan(128, 2, 2);
  plan.steps[0].k.pop_back();
  EXPECT_THROW(vectorised(o, plan, Model::volta), std::invalid_argument) << "three products";
  plan = sm70_plan(128, 2, 2);
  plan.steps[0].k[0] = 16;
  EXPECT_THROW(vectorised(o, plan, Model::volta), std::invalid_argument) << "past the unit";
  plan = sm70_plan(128, 2, 2);
  plan.slices = {0, 5, 4, 8};
  EXPECT_THROW(vectorised(o, plan, Model::volta), std::invalid_argument) << "descending slices";
  const GemmMatrix matrix = o.matrix();
  EXPECT_THROW(matrix.gemm(o.x.data(), 1, 127, sm70_plan(128, 2, 2), Model::volta), std::invalid_argument);
  EXPECT_THROW(matrix.gated(o.x.data(), 1, 128, sm70_plan(128, 2, 2), Model::volta), std::invalid_argument);
}

}  // namespace
}  // namespace quadpair::reference::test
