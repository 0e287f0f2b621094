#include <fmt/format.h>

#include <cmath>

#include "harness/cli/explanation.hpp"
#include "harness/run/explain/products.hpp"
#include "reference/oracle/oracle.hpp"

namespace quadpair::cli {
namespace {

using Json = nlohmann::ordered_json;
using run::Explanation;
using run::SumExplained;

Json half_json(std::uint16_t h) {
  return fmt::format("0x{:04x}", h);
}

Json bits_json(std::uint32_t bits) {
  return fmt::format("0x{:08x}", bits);
}

/// Nothing for infinities and NaN, which JSON has no numbers for.
Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

template <class Range, class Convert>
Json list(const Range& values, const Convert& convert) {
  Json all = Json::array();
  for (const auto& value : values) all.push_back(convert(value));
  return all;
}

Json line_json(const device::CodeLine& line) {
  return {{"ptx_line", line.ptx_line}, {"text", line.text}, {"source", line.source}, {"caller", line.caller}};
}

Json node_json(const SumExplained& sum, std::uint32_t node) {
  return bits_json(static_cast<std::uint32_t>(sum.history->nodes[node].bits));
}

Json device_step(const Explanation& e, const SumExplained& sum, std::uint32_t index) {
  const device::Node& node = sum.history->nodes[index];
  const std::vector<run::DeviceProduct> products = run::products_of(*sum.history, index, e.mma, e.ldx);
  return {{"k", list(products, [](const auto& p) { return p.k ? Json(*p.k) : Json(nullptr); })},
          {"x", list(products, [](const auto& p) { return half_json(p.x); })},
          {"w", list(products, [](const auto& p) { return half_json(p.w); })},
          {"accumulator", node_json(sum, index)},
          {"ptx_line", sum.history->code[node.code].ptx_line},
          {"warp", node.warp},
          {"lane", node.lane}};
}

Json step_json(const Explanation& e, const SumExplained& sum, const run::ExpectedSum::Step& step) {
  return {{"k", step.k},
          {"x", list(step.k, [&](std::uint32_t k) { return half_json(e.x[k]); })},
          {"w", list(step.k, [&](std::uint32_t k) { return half_json(sum.w[k]); })},
          {"products", list(step.k,
                            [&](std::uint32_t k) {
                              return number_json(static_cast<double>(reference::to_float(e.x[k])) *
                                                 reference::to_float(sum.w[k]));
                            })},
          {"reference", bits_json(step.after)},
          {"device", nullptr}};
}

/// Slice `s`, device beside reference.
Json slice_json(const Explanation& e, const SumExplained& sum, std::size_t s) {
  const run::ExpectedSum::Slice& wanted = sum.expected.slices[s];
  const run::DeviceSum::Slice* got =
      sum.device && s < sum.device->slices.size() ? &sum.device->slices[s] : nullptr;
  Json chains = Json::array();
  for (std::size_t c = 0; c < wanted.chains.size(); ++c) {
    Json steps = Json::array();
    for (std::size_t i = 0; i < wanted.chains[c].steps.size(); ++i) {
      steps.push_back(step_json(e, sum, wanted.chains[c].steps[i]));
      if (got != nullptr && c < got->chains.size() && i < got->chains[c].steps.size())
        steps.back()["device"] = device_step(e, sum, got->chains[c].steps[i]);
    }
    chains.push_back({{"steps", std::move(steps)}, {"reference", bits_json(wanted.chains[c].sum())}});
  }
  const auto both = [&](std::uint32_t reference, std::uint32_t run::DeviceSum::Slice::*node) {
    return Json{{"reference", bits_json(reference)},
                {"device", got ? node_json(sum, got->*node) : Json(nullptr)}};
  };
  return {{"first_k", wanted.first_k},
          {"end_k", wanted.end_k},
          {"chains", std::move(chains)},
          {"sum", both(wanted.sum, &run::DeviceSum::Slice::sum)},
          {"running", both(wanted.running, &run::DeviceSum::Slice::running)}};
}

Json group_json(const run::WeightGroup& group) {
  return {{"codes", list(group.codes, [](std::uint8_t code) { return Json(unsigned{code}); })},
          {"scale_byte", group.scale_byte ? Json(fmt::format("0x{:02x}", *group.scale_byte)) : Json(nullptr)},
          {"scale", half_json(group.scale)}};
}

Json sum_json(const Explanation& e, const SumExplained& sum) {
  Json slices = Json::array();
  for (std::size_t s = 0; s < sum.expected.slices.size(); ++s) slices.push_back(slice_json(e, sum, s));
  Json rounded = {{"reference", half_json(sum.expected.rounded)}, {"device", nullptr}};
  if (sum.device)
    rounded["device"] = half_json(static_cast<std::uint16_t>(sum.history->nodes[sum.device->rounded].bits));
  return {{"name", sum.name},
          {"row", sum.row},
          {"kernel", sum.history ? Json(sum.history->kernel) : Json(nullptr)},
          {"groups", list(sum.groups, group_json)},
          {"weights", list(sum.w, half_json)},
          {"slices", std::move(slices)},
          {"rounded", std::move(rounded)}};
}

Json difference_json(const run::Difference& d) {
  return {{"kind", d.kind},
          {"where", d.where},
          {"what", d.what},
          {"instruction", d.instruction ? line_json(*d.instruction) : Json(nullptr)},
          {"made_by", list(d.made_by, line_json)}};
}

}  // namespace

nlohmann::ordered_json explanation_json(const Explanation& e, std::uint64_t seed) {
  return {{"schema", "quadpair.explanation/1"},
          {"case", e.id},
          {"operator", e.operation},
          {"target", e.target},
          {"model", e.model},
          {"seed", seed},
          {"element", {{"m", e.row}, {"n", e.column}}},
          {"shape", {{"m", e.m}, {"n", e.n}, {"k", e.k}}},
          {"rule", e.rule},
          {"plan", e.plan},
          {"kernel", e.history ? Json(e.history->kernel) : Json(nullptr)},
          {"expected", half_json(e.expected)},
          {"actual", e.actual ? half_json(*e.actual) : Json(nullptr)},
          {"fp64",
           {{"value", number_json(e.value)},
            {"bound", number_json(e.bound)},
            {"within", e.actual ? Json(reference::within(e.value, e.bound, *e.actual)) : Json(nullptr)}}},
          {"activations", list(e.x, half_json)},
          {"sums", list(e.sums, [&](const SumExplained& sum) { return sum_json(e, sum); })},
          {"difference", e.difference ? difference_json(*e.difference) : Json(nullptr)}};
}

}  // namespace quadpair::cli
