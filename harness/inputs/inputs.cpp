#include "harness/inputs/inputs.hpp"

#include <algorithm>
#include <utility>

#include "cases/error.hpp"
#include "harness/inputs/fills.hpp"

namespace quadpair::inputs {
namespace {

constexpr std::uint16_t bait = 0x7E5A;  // a NaN: whoever reads it as data shows it in the result

constexpr std::pair<const char*, Fill> fills[] = {
    {"real", fill_real},     {"heavy", fill_heavy}, {"cancel", fill_cancel},   {"subnormal", fill_subnormal},
    {"normal", fill_normal}, {"exact", fill_exact}, {"special", fill_special}, {"onehot", fill_onehot},
    {"bits", fill_bits},     {"gates", fill_gates}};

Fill find_fill(const std::string& name) {
  for (const auto& [known, fill] : fills)
    if (known == name) return fill;
  throw cases::DataError("fill '" + name + "' is not known");
}

/// Rows [m, k] further apart: [m, ldx].
std::vector<std::uint16_t> with_bait(const std::vector<std::uint16_t>& rows, std::uint32_t m, std::size_t k,
                                     std::size_t ldx) {
  std::vector<std::uint16_t> x(m * ldx, bait);
  for (std::size_t row = 0; row < m; ++row)
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(row * k), k,
                x.begin() + static_cast<std::ptrdiff_t>(row * ldx));
  return x;
}

}  // namespace

std::vector<std::string> fill_names() {
  std::vector<std::string> names;
  for (const auto& entry : fills) names.emplace_back(entry.first);
  names.emplace_back("hidden");
  return names;
}

std::vector<std::uint16_t> make_head_inputs(const cases::Case& c, const cases::HeadMatrix& head,
                                            std::uint64_t seed, unsigned round) {
  const cases::RandomStream stream = cases::RandomStream(seed, c.slice + "/" + c.fill).child(round);
  cases::QuantizedMatrix shape;
  shape.n = head.n;
  shape.k = head.k;
  const auto rows =
      c.fill == "hidden" ? fill_hidden(head, c.m, stream) : find_fill(c.fill)({shape, c.m, round, stream});
  return with_bait(rows, c.m, head.k, std::size_t{head.k} + c.ldx_extra);
}

Inputs make_inputs(const cases::Case& c, std::uint64_t seed, unsigned round) {
  return make_inputs(c, cases::load_slice(c.slice, seed), seed, round);
}

Inputs make_inputs(const cases::Case& c, std::shared_ptr<const cases::QuantizedMatrix> weights,
                   std::uint64_t seed, unsigned round) {
  const cases::RandomStream stream(seed, c.slice + "/" + c.fill);
  const auto rows = find_fill(c.fill)({*weights, c.m, round, stream.child(round)});
  Inputs inputs;
  inputs.weights = std::move(weights);
  inputs.m = c.m;
  const std::size_t k = inputs.weights->k;
  inputs.ldx = static_cast<std::uint32_t>(k + c.ldx_extra);
  inputs.x = with_bait(rows, c.m, k, inputs.ldx);
  return inputs;
}

}  // namespace quadpair::inputs
