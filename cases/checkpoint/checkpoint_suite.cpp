#include "cases/checkpoint/checkpoint_suite.hpp"

#include "cases/operators.hpp"
#include "cases/suite_expand.hpp"
#include "kernels/lm_head/candidates.hpp"
#include "kernels/qpn2/layout.hpp"
#include "kernels/qpn2/tuning.hpp"
#include "kernels/qpn8/gemm.hpp"

namespace quadpair::cases {
namespace {

constexpr std::uint32_t tile = 32;
const char* const fills[] = {"heavy", "normal", "cancel"};
const char* const fp8_fills[] = {"heavy", "normal", "subnormal"};  // cancel pairs NVFP4 codes

/// The operators that take a slice.
std::vector<std::string> operators_of(const SliceShape& shape) {
  if (shape.fp8) return {"qpn8_gemm"};
  std::vector<std::string> operators;
  if (shape.halves == 1 || shape.n / 2 % tile == 0) operators.emplace_back("qpn2_gemm");
  if (shape.halves == 2) operators.emplace_back("qpn2_gated");
  return operators;
}

/// The tuned plan; where there is none, one that preparation refuses by name.
void set_plan(Case& c, const SliceShape& shape) {
  const OperatorTraits traits = operator_traits(c.operation).value();
  const Target target = target_from_string(c.target).value();
  if (traits.head) return;
  const std::uint32_t padded_n = traits.gated ? qpn2::pad_gated(shape.n) : qpn2::pad_to_tile(shape.n);
  const auto rule = traits.fp8 ? qpn8::tuning_rule(shape.k, target)
                               : qpn2::tuning_rule(shape.k, padded_n, target, traits.gated);
  const qpn2::Tuning plan = rule.value_or(qpn2::Tuning{});
  c.split_k = plan.split_k;
  c.chains = plan.chains;
}

void add_cases(Case c, const SliceShape& shape, std::vector<Case>& cases) {
  for (const auto& [target, models] : all_targets().items()) {
    c.target = target;
    set_plan(c, shape);
    for (const auto& model : models) {
      c.model = model.get<std::string>();
      c.id = case_id(c);
      cases.push_back(c);
    }
  }
}

/// The screened head with the most results that are asked for: fewer are the first of them.
void add_head_cases(const CheckpointSlices& slices, const std::vector<std::uint32_t>& rows,
                    std::vector<Case>& cases) {
  constexpr std::uint32_t most_results = 21;
  for (const auto& [name, head] : slices.heads())
    for (const std::uint32_t m : rows) {
      if (m > lm_head::max_rows) continue;
      Case c;
      c.operation = "lm_head";
      c.slice = name;
      c.m = m;
      c.layout = "";
      c.fill = "hidden";
      c.top = most_results;
      const SliceShape shape = slices.shape(name).value();
      c.rank = shape.rank;
      c.tp = shape.tp;
      c.promises_all_codes = false;  // whatever the weights are, they are the user's
      add_cases(std::move(c), shape, cases);
    }
}

}  // namespace

Suite checkpoint_suite(const std::shared_ptr<const CheckpointSlices>& slices, const std::string& name,
                       const std::vector<std::uint32_t>& rows) {
  Suite suite{name, "Shards of a checkpoint", {}, slices};
  std::size_t turn = 0;
  for (const std::string& slice : slices->names()) {
    const SliceShape shape = slices->shape(slice).value();
    for (const std::string& operation : operators_of(shape))
      for (const std::uint32_t m : rows) {
        Case c;
        c.operation = operation;
        c.slice = slice;
        c.m = m;
        if (shape.fp8) c.layout = "";
        const auto& of_format = shape.fp8 ? fp8_fills : fills;
        c.fill = of_format[turn % std::size(of_format)];
        ++turn;
        c.rank = shape.rank;
        c.tp = shape.tp;
        c.promises_all_codes = false;  // whatever the weights are, they are the user's
        add_cases(std::move(c), shape, suite.cases);
      }
  }
  add_head_cases(*slices, rows, suite.cases);
  return suite;
}

}  // namespace quadpair::cases
