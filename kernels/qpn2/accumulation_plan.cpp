#include "kernels/common/error.hpp"
#include "kernels/qpn2/gemm.hpp"

namespace quadpair::qpn2 {
namespace {

/// Step q of a group of 16 k sums k 4q..4q+3.
void volta_steps(AccumulationPlan& plan) {
  for (std::uint16_t q = 0; q < 4; ++q) {
    FusedStep step{q % plan.chains, {}};
    for (std::uint16_t i = 0; i < 4; ++i) step.k.push_back(static_cast<std::uint16_t>(4 * q + i));
    plan.steps.push_back(std::move(step));
  }
}

/// Step j of a unit of four groups sums k 4j..4j+3 of each group. The instruction's k 2t, 2t+1 are the first
/// two of them in group t, its k 8+2t, 9+2t the last two: what a lane of quad place t holds.
void native_steps(AccumulationPlan& plan) {
  for (std::uint16_t j = 0; j < 4; ++j) {
    FusedStep step{j % plan.chains, {}};
    for (std::uint16_t pair = 0; pair < 2; ++pair)
      for (std::uint16_t t = 0; t < 4; ++t)
        for (std::uint16_t i = 0; i < 2; ++i)
          step.k.push_back(static_cast<std::uint16_t>(16 * t + 4 * j + 2 * pair + i));
    plan.steps.push_back(std::move(step));
  }
}

}  // namespace

AccumulationPlan accumulation_plan(std::uint32_t k, Tuning tuning, Target target) {
  if (const auto reason = why_refused(0, tile_columns, k, tuning, target, false)) throw Refused(*reason);
  AccumulationPlan plan;
  plan.chains = tuning.chains;
  if (target == Target::sm70) {
    plan.mma = MmaShape::m8n8k4;
    plan.unit_k = 16;
    volta_steps(plan);
  } else {
    plan.mma = MmaShape::m16n8k16;
    plan.unit_k = 64;
    native_steps(plan);
  }
  const std::uint64_t units = k / plan.unit_k;
  for (std::uint64_t w = 0; w <= tuning.split_k; ++w)
    plan.slices.push_back(static_cast<std::uint32_t>(w * units / tuning.split_k));
  return plan;
}

}  // namespace quadpair::qpn2
