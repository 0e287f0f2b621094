#include "kernels/common/error.hpp"
#include "kernels/common/fused_steps.hpp"
#include "kernels/qpn2/gemm.hpp"

namespace quadpair::qpn2 {

AccumulationPlan accumulation_plan(std::uint32_t k, Tuning tuning, Target target) {
  if (const auto reason = why_refused(0, tile_columns, k, tuning, target, false)) throw Refused(*reason);
  return plan_of(k, tuning.chains, tuning.split_k, target);
}

}  // namespace quadpair::qpn2
