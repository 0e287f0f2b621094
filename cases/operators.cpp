#include "cases/operators.hpp"

namespace quadpair::cases {

std::optional<OperatorTraits> operator_traits(std::string_view name) {
  constexpr OperatorTraits operators[] = {
      {"qpn2_gemm", PlanKind::qpn2},
      {"qpn2_gated", PlanKind::qpn2, true},
      {"tm_gemm", PlanKind::wide},
      {"dense_prefill", PlanKind::workspace},
      {"qpn2_dispatch", PlanKind::dispatch},
      {"qpn2_dispatch_gated", PlanKind::dispatch, true},
      {"silu_and_mul", PlanKind::none, false, false},
      {"restore_tm_scales", PlanKind::none, false, true, false},
      {"qpn8_gemm", PlanKind::qpn8, false, false, true, false, false, true},
      {"lm_head", PlanKind::none, false, false, true, true, true},
      {"lm_head_top1", PlanKind::none, false, false, true, true},
  };
  for (const OperatorTraits& traits : operators)
    if (traits.name == name) return traits;
  return std::nullopt;
}

bool takes_activations(const Case& c) {
  const auto traits = operator_traits(c.operation);
  return !traits || traits->has_rows;
}

}  // namespace quadpair::cases
