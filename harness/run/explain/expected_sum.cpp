#include "harness/run/explain/expected_sum.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>

namespace quadpair::run {
namespace {

using reference::Half;

std::uint32_t add(std::uint32_t a, std::uint32_t b) {
  const float sum = std::bit_cast<float>(a) + std::bit_cast<float>(b);
  return std::isnan(sum) ? reference::float_nan : std::bit_cast<std::uint32_t>(sum);
}

}  // namespace

ExpectedSum expected_sum(const AccumulationPlan& plan, reference::Model model, std::span<const Half> x,
                         std::span<const Half> w) {
  if (plan.k() != x.size() || plan.k() != w.size())
    throw std::invalid_argument("the plan sums another k than there is");
  ExpectedSum expected;
  std::uint32_t running = 0;
  for (std::uint32_t s = 0; s < plan.slice_count(); ++s) {
    ExpectedSum::Slice slice;
    slice.first_k = plan.slices[s] * plan.unit_k;
    slice.end_k = plan.slices[s + 1] * plan.unit_k;
    slice.chains.resize(plan.chains);
    for (std::uint32_t unit = plan.slices[s]; unit < plan.slices[s + 1]; ++unit)
      for (const FusedStep& fused : plan.steps) {
        ExpectedSum::Chain& chain = slice.chains.at(fused.chain);
        ExpectedSum::Step step;
        std::vector<Half> a, b;
        for (const std::uint16_t offset : fused.k) {
          step.k.push_back(unit * plan.unit_k + offset);
          a.push_back(x[step.k.back()]);
          b.push_back(w[step.k.back()]);
        }
        step.after = reference::fused_sum(model, a, b, chain.sum());
        chain.steps.push_back(std::move(step));
      }
    slice.sum = slice.chains[0].sum();
    for (std::size_t c = 1; c < slice.chains.size(); ++c) slice.sum = add(slice.sum, slice.chains[c].sum());
    slice.running = running = add(running, slice.sum);
    expected.slices.push_back(std::move(slice));
  }
  expected.rounded = reference::to_half(std::bit_cast<float>(running));
  return expected;
}

}  // namespace quadpair::run
