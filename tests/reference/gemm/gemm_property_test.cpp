// The reference GEMM against its scalar definition on random shapes and random plans.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>  // after GoogleTest, which it does not include

#include <algorithm>
#include <numeric>

#include "reference/gemm/gemm.hpp"
#include "tests/reference/gemm/gemm_cases.hpp"

namespace quadpair::reference::test {
namespace {

/// Any order that a plan can say: steps over a random permutation of the unit's k, chains and slices at will.
AccumulationPlan random_plan(MmaShape mma, std::uint32_t k) {
  AccumulationPlan plan;
  plan.mma = mma;
  plan.unit_k = *rc::gen::element(16U, 32U, 64U);
  plan.chains = *rc::gen::inRange(1U, 4U);
  std::vector<std::uint16_t> order(plan.unit_k);
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  for (std::size_t i = order.size() - 1; i > 0; --i)
    std::swap(order[i], order[*rc::gen::inRange<std::size_t>(0, i + 1)]);
  for (std::size_t i = 0; i < order.size(); i += products(mma)) {
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(i);
    plan.steps.push_back({*rc::gen::inRange(0U, plan.chains), {first, first + products(mma)}});
  }
  plan.slices = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, k / plan.unit_k + 1));
  plan.slices.push_back(0);
  plan.slices.push_back(k / plan.unit_k);
  std::ranges::sort(plan.slices);
  return plan;
}

RC_GTEST_PROP(GemmProperty, MeetsTheDefinitionOnRandomPlans, ()) {
  const Model model = *rc::gen::elementOf(std::vector<Model>(std::begin(all_models), std::end(all_models)));
  const std::uint32_t k = 64 * *rc::gen::inRange(1U, 6U);
  const std::uint32_t m = *rc::gen::inRange(1U, 12U), n = *rc::gen::inRange(1U, 80U);
  const std::uint32_t ldx = k + *rc::gen::inRange(0U, 20U);
  const Fill fill = *rc::gen::elementOf(std::vector<Fill>(std::begin(all_fills), std::end(all_fills)));
  const Operands o(fill, m, n, k, ldx, 1, *rc::gen::arbitrary<std::uint32_t>());
  const AccumulationPlan plan =
      random_plan(defines(model, MmaShape::m8n8k4) ? MmaShape::m8n8k4 : MmaShape::m16n8k16, k);
  RC_LOG(to_string(plan));
  const std::string found =
      difference(scalar_sums(o, plan, model), o.matrix().sums(o.x.data(), m, ldx, plan, model), n);
  RC_ASSERT(found.empty());
}

}  // namespace
}  // namespace quadpair::reference::test
