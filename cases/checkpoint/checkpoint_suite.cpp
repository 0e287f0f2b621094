#include "cases/checkpoint/checkpoint_suite.hpp"

#include <fmt/format.h>

#include "cases/error.hpp"
#include "cases/operators.hpp"
#include "cases/suite_expand.hpp"
#include "kernels/qpn2/layout.hpp"
#include "kernels/qpn2/tuning.hpp"

namespace quadpair::cases {
namespace {

constexpr std::uint32_t tile = 32;
const char* const fills[] = {"heavy", "normal", "cancel"};

/// The operators that take a slice.
std::vector<std::string> operators_of(const Shard& shard, const SliceShape& shape) {
  if (shard.format != WeightFormat::nvfp4)
    return operator_traits("qpn8_gemm") ? std::vector<std::string>{"qpn8_gemm"} : std::vector<std::string>{};
  std::vector<std::string> operators;
  if (shape.halves == 1 || shape.n / 2 % tile == 0) operators.emplace_back("qpn2_gemm");
  if (shape.halves == 2) operators.emplace_back("qpn2_gated");
  return operators;
}

/// The tuned plan; where there is none, one that preparation refuses by name.
void set_plan(Case& c, const SliceShape& shape) {
  const bool gated = c.operation == "qpn2_gated";
  const std::uint32_t padded_n = gated ? qpn2::pad_gated(shape.n) : qpn2::pad_to_tile(shape.n);
  const qpn2::Tuning plan = qpn2::tuning_rule(shape.k, padded_n, target_from_string(c.target).value(), gated)
                                .value_or(qpn2::Tuning{});
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

}  // namespace

Suite checkpoint_suite(std::shared_ptr<const CheckpointSlices> slices, const std::string& name,
                       const std::vector<std::uint32_t>& rows) {
  Suite suite{name, "Shards of a checkpoint", {}, slices};
  std::size_t turn = 0;
  for (const std::string& slice : slices->names()) {
    const SliceShape shape = slices->shape(slice).value();
    for (const std::string& operation : operators_of(slices->shard(slice), shape))
      for (const std::uint32_t m : rows) {
        Case c;
        c.operation = operation;
        c.slice = slice;
        c.m = m;
        c.fill = fills[turn++ % std::size(fills)];
        c.rank = shape.rank;
        c.tp = shape.tp;
        c.promises_all_codes = false;  // whatever the weights are, they are the user's
        add_cases(std::move(c), shape, suite.cases);
      }
  }
  if (suite.cases.empty())
    throw DataError(fmt::format("{}: no operator takes FP8 weights here", slices->names().front()));
  return suite;
}

}  // namespace quadpair::cases
