#include "kernels/common/fused_steps.hpp"

#include <numeric>

namespace quadpair {
namespace {

std::vector<std::uint16_t> volta_step(std::uint16_t q) {
  std::vector<std::uint16_t> k;
  for (std::uint16_t i = 0; i < 4; ++i) k.push_back(static_cast<std::uint16_t>(4 * q + i));
  return k;
}

/// The instruction's k 2t, 2t+1 are the first two of the four k in group t, its k 8+2t, 9+2t the last two:
/// what a lane of quad place t holds.
std::vector<std::uint16_t> native_step(std::uint16_t j) {
  std::vector<std::uint16_t> k;
  for (std::uint16_t pair = 0; pair < 2; ++pair)
    for (std::uint16_t t = 0; t < 4; ++t)
      for (std::uint16_t i = 0; i < 2; ++i)
        k.push_back(static_cast<std::uint16_t>(16 * t + 4 * j + 2 * pair + i));
  return k;
}

}  // namespace

AccumulationPlan plan_of(std::uint32_t k, std::uint32_t chains, std::uint32_t slices, Target target) {
  AccumulationPlan plan;
  plan.chains = chains;
  plan.mma = target == Target::sm70 ? MmaShape::m8n8k4 : MmaShape::m16n8k16;
  plan.unit_k = target == Target::sm70 ? 16 : 64;
  for (std::uint16_t i = 0; i < 4; ++i)
    plan.steps.push_back({i % chains, target == Target::sm70 ? volta_step(i) : native_step(i)});
  const std::uint64_t units = k / plan.unit_k;
  for (std::uint64_t w = 0; w <= slices; ++w)
    plan.slices.push_back(static_cast<std::uint32_t>(w * units / slices));
  return plan;
}

AccumulationPlan plan_of_warpgroups(std::uint32_t k) {
  AccumulationPlan plan;
  plan.mma = MmaShape::m16n8k16;
  plan.unit_k = 64;
  for (std::uint16_t j = 0; j < 4; ++j) {
    plan.steps.push_back({0, std::vector<std::uint16_t>(16)});
    std::iota(plan.steps.back().k.begin(), plan.steps.back().k.end(), static_cast<std::uint16_t>(16 * j));
  }
  plan.slices = {0, k / plan.unit_k};
  return plan;
}

}  // namespace quadpair
