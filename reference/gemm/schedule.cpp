#include "reference/gemm/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace quadpair::reference {
namespace {

void check(const AccumulationPlan& plan, Model model) {
  if (plan.mma == MmaShape::m16n8k8) throw std::invalid_argument("no plan of a GEMM has m16n8k8");
  if (!defines(model, plan.mma))
    throw std::invalid_argument(
        fmt::format("model {} does not define {}", to_string(model), to_string(plan.mma)));
  if (plan.slices.size() < 2 || plan.slices.front() != 0 || !std::ranges::is_sorted(plan.slices))
    throw std::invalid_argument("slice boundaries must ascend from 0");
  if (plan.chains == 0) throw std::invalid_argument("a plan needs a chain");
  for (const FusedStep& step : plan.steps) {
    if (step.chain >= plan.chains) throw std::invalid_argument("a step names a chain that does not exist");
    if (step.k.size() != products(plan.mma))
      throw std::invalid_argument("a step does not list the instruction's products");
    if (std::ranges::any_of(step.k, [&](std::uint16_t k) { return k >= plan.unit_k; }))
      throw std::invalid_argument("a step reaches past its unit");
  }
}

std::size_t step_width(const AccumulationPlan& plan, Model model) {
  return model == Model::ampere ? 8 : products(plan.mma);
}

}  // namespace

Schedule make_schedule(const AccumulationPlan& plan, Model model) {
  check(plan, model);
  Schedule schedule;
  schedule.model = model;
  schedule.width = step_width(plan, model);
  schedule.chains = plan.chains;
  schedule.slices = plan.slice_count();
  schedule.streams.push_back(0);
  for (std::uint32_t slice = 0; slice < schedule.slices; ++slice) {
    for (std::uint32_t chain = 0; chain < plan.chains; ++chain) {
      for (std::uint32_t unit = plan.slices[slice]; unit < plan.slices[slice + 1]; ++unit)
        for (const FusedStep& step : plan.steps)
          if (step.chain == chain)
            for (const std::uint16_t k : step.k) schedule.k.push_back(unit * plan.unit_k + k);
      schedule.streams.push_back(schedule.k.size());
    }
  }
  return schedule;
}

}  // namespace quadpair::reference
