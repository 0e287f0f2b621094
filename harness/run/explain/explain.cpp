#include "harness/run/explain/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/operators.hpp"
#include "harness/run/explain/difference.hpp"
#include "harness/run/explain/element_on_device.hpp"
#include "harness/run/explain/weight_places.hpp"
#include "harness/run/problem.hpp"
#include "kernels/common/error.hpp"
#include "reference/formats/fp4_fp8.hpp"
#include "reference/gemm/gated.hpp"
#include "reference/oracle/oracle.hpp"

namespace quadpair::run {
namespace {

using reference::Half;

void require_explicable(const cases::Case& c) {
  constexpr std::string_view explained[] = {"qpn2_gemm",     "qpn2_gated",    "tm_gemm",
                                            "dense_prefill", "qpn2_dispatch", "qpn2_dispatch_gated",
                                            "qpn8_gemm"};
  if (std::ranges::find(explained, c.operation) == std::end(explained))
    throw Refused(
        fmt::format("{} is not explained: it takes no sum of weights and activations that is one "
                    "element of its output",
                    c.operation));
  if (c.library) throw Refused("products by cublas are not explained: their order is not the project's");
}

std::vector<WeightGroup> fp8_groups(const cases::QuantizedMatrix& w, std::uint32_t row) {
  std::vector<WeightGroup> groups(w.k / reference::group_k);
  for (std::uint32_t i = 0; i < groups.size(); ++i) {
    const std::uint32_t k = i * reference::group_k;
    std::copy_n(w.codes.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * w.k + k), reference::group_k,
                groups[i].codes);
    groups[i].scale = reference::to_half(fp8_scale(w, row, k) * 256);
  }
  return groups;
}

std::vector<WeightGroup> groups_of(const Problem& p, const Matrix& matrix, std::uint32_t row) {
  if (p.fp8) return fp8_groups(*matrix.weights, row);
  const reference::Nvfp4View& view = matrix.view;
  const float g = reference::global_of(view, row);
  std::vector<WeightGroup> groups(view.k / reference::group_k);
  for (std::uint32_t i = 0; i < groups.size(); ++i) {
    WeightGroup& group = groups[i];
    for (std::uint32_t k = 0; k < reference::group_k; ++k)
      group.codes[k] = reference::code_at(view, row, i * reference::group_k + k);
    group.scale_byte = view.scales[std::size_t{row} * groups.size() + i];
    const float scale = reference::e4m3_value(*group.scale_byte);
    group.scale = p.op.rule == DecodeRule::qpn2
                      ? reference::mul(reference::to_half(scale),
                                       reference::to_half(std::ldexp(static_cast<double>(g), 14)))
                      : reference::to_half(scale * g);
  }
  return groups;
}

SumExplained reference_sum(const Problem& p, const Matrix& matrix, const std::vector<Half>& x,
                           std::string name, std::uint32_t row) {
  SumExplained sum;
  sum.name = std::move(name);
  sum.row = row;
  sum.w = matrix.decoded(p.op.rule).rows(row, 1);
  sum.groups = groups_of(p, matrix, row);
  sum.expected = expected_sum(*p.op.plan, p.model, x, sum.w);
  return sum;
}

/// The number that the reference gives, and the FP64 one.
void judge(const Problem& p, Explanation& e) {
  std::vector<Half> rows;
  for (const SumExplained& sum : e.sums) rows.insert(rows.end(), sum.w.begin(), sum.w.end());
  const auto count = static_cast<std::uint32_t>(e.sums.size());
  const reference::GemmMatrix weights(rows, count, e.k, count);
  const bool gated = count == 2;
  const auto oracle = gated ? reference::oracle_gated(weights, e.x.data(), 1, e.k, *p.op.plan, p.model)
                            : reference::oracle_gemm(weights, e.x.data(), 1, e.k, *p.op.plan, p.model);
  e.value = oracle.value[0];
  e.bound = oracle.bound[0];
  e.expected = gated ? reference::gated_epilogue(e.sums[0].expected.rounded, e.sums[1].expected.rounded)
                     : e.sums[0].expected.rounded;
}

Difference no_number(std::string kind, std::string what) {
  Difference found;
  found.kind = std::move(kind);
  found.what = std::move(what);
  return found;
}

void add_device(const Problem& p, const Matrix& matrix, const inputs::Inputs& inputs, const Options& options,
                Resources& resources, Explanation& e) {
  auto device = resources.devices.take(p.model, 1);
  ElementHistory element;
  try {
    element = element_history(*device, p, matrix, inputs, options.find_module, e.row, e.column);
  } catch (const device::Fault& fault) {
    e.difference = no_number("fault", fault.what());
    return;
  }
  resources.devices.give_back(p.model, 1, std::move(device));
  if (!element.stored) {
    e.difference = no_number("not written", "no instruction stores the element");
    return;
  }
  e.history = element.stored;
  e.actual = static_cast<Half>(e.history->nodes[e.history->stored.node].bits >> e.history->stored.shift);
  for (std::size_t i = 0; i < std::min(e.sums.size(), element.sums.size()); ++i) {
    e.sums[i].history = element.sums[i].history;
    e.sums[i].device = std::move(element.sums[i].sum);
  }
  e.difference = first_difference(p, matrix, e);
}

}  // namespace

Explanation explain(const cases::Case& c, std::uint32_t row, std::uint32_t column, const Options& options,
                    Resources& resources) {
  require_explicable(c);
  const Slice slice = resources.matrices.slice(c.slice);
  const Problem p = make_problem(c, *slice.weights);
  if (row >= p.rows || column >= p.columns)
    throw Refused(fmt::format("the output of {} has {} rows and {} columns: there is no element {},{}", c.id,
                              p.rows, p.columns, row, column));
  const auto matrix = resources.matrices.matrix(c.slice, p.halves);
  const inputs::Inputs inputs = inputs::make_inputs(c, slice.weights, options.seed, 0);

  Explanation e;
  e.id = c.id;
  e.operation = c.operation;
  e.target = c.target;
  e.model = c.model;
  e.rule = p.fp8 ? "qpn8" : p.op.rule == DecodeRule::qpn2 ? "qpn2" : "turbomind";
  e.plan = to_string(*p.op.plan);
  e.mma = p.op.plan->mma;
  e.row = row;
  e.column = column;
  e.m = p.m;
  e.n = p.columns;
  e.k = p.k;
  e.ldx = p.ldx;
  const auto first = inputs.x.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * p.ldx);
  e.x.assign(first, first + p.k);
  e.sums.push_back(reference_sum(p, *matrix, e.x, p.gated() ? "gate" : "sum", column));
  if (p.gated()) e.sums.push_back(reference_sum(p, *matrix, e.x, "up", p.n / 2 + column));
  judge(p, e);
  add_device(p, *matrix, inputs, options, resources, e);
  return e;
}

}  // namespace quadpair::run
