#include "harness/run/problem.hpp"

#include <fmt/format.h>

#include "cases/operators.hpp"
#include "harness/run/operators.hpp"
#include "kernels/qpn2/layout.hpp"

namespace quadpair::run {
namespace {

template <class T>
T known(const std::optional<T>& value, const cases::Case& c, std::string_view what, const std::string& name) {
  if (!value) throw cases::DataError(fmt::format("case {}: unknown {} \"{}\"", c.id, what, name));
  return *value;
}

std::optional<MakeOperator> maker(std::string_view operation) {
  constexpr std::pair<std::string_view, MakeOperator> makers[] = {
      {"qpn2_gemm", make_qpn2},
      {"qpn2_gated", make_qpn2},
      {"tm_gemm", make_tm_gemm},
      {"dense_prefill", make_dense_prefill},
      {"qpn2_dispatch", make_dispatch},
      {"qpn2_dispatch_gated", make_dispatch},
      {"silu_and_mul", make_silu_and_mul},
      {"restore_tm_scales", make_restore_tm_scales},
      {"qpn8_gemm", make_qpn8_gemm},
  };
  for (const auto& [name, make] : makers)
    if (name == operation) return make;
  return std::nullopt;
}

}  // namespace

Problem make_problem(const cases::Case& c, const cases::QuantizedMatrix& weights) {
  Problem p;
  const MakeOperator make = known(maker(c.operation), c, "operator", c.operation);
  const cases::OperatorTraits traits = cases::operator_traits(c.operation).value();
  p.target = known(target_from_string(c.target), c, "target", c.target);
  p.model = known(reference::model_from_string(c.model), c, "model", c.model);
  p.temporary = c.layout == "temporary";
  if (traits.weights)
    p.policy =
        p.temporary ? StoragePolicy::compact : known(policy_from_string(c.layout), c, "layout", c.layout);
  if (traits.fp8 != (weights.format != cases::WeightFormat::nvfp4))
    throw cases::DataError(fmt::format("case {}: '{}' has {} weights, which {} does not take", c.id, c.slice,
                                       traits.fp8 ? "NVFP4" : "FP8", c.operation));
  if (traits.fp8) p.fp8 = scale_kind(weights);
  p.m = c.m;
  p.n = weights.n;
  p.k = weights.k;
  p.halves = traits.gated ? 2 : 1;
  p.padded_n = p.gated() ? qpn2::pad_gated(p.n) : qpn2::pad_to_tile(p.n);
  p.rows = p.m;
  p.columns = p.gated() ? p.n / 2 : p.n;
  p.ldx = p.k + c.ldx_extra;
  p.ldy = p.columns + c.ldy_extra;
  p.y_before = c.y_before;
  make(c, p);
  return p;
}

std::vector<StorageItem> storage_of(const Problem& p, std::uint32_t global_count) {
  if (p.fp8) return qpn8::storage(*p.fp8, p.padded_n, p.k);
  if (p.policy) return storage(*p.policy, p.padded_n, p.k, global_count);
  return {};
}

}  // namespace quadpair::run
