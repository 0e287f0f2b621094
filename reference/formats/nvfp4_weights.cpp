#include "reference/formats/nvfp4_weights.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reference/formats/fp4_fp8.hpp"

namespace quadpair::reference {
namespace {

ScaleMeaning meaning(float global, const Nvfp4Rule& rule) {
  ScaleMeaning m;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const Half scale = rule.scale(static_cast<std::uint8_t>(byte), global);
    for (std::size_t code = 0; code < 16; ++code) {
      const float value = std::ldexp(e2m1_value(static_cast<std::uint8_t>(code)), rule.exponent);
      m.weights[byte][code] = mul(to_half(value), scale);
    }
    m.scales[byte] = std::ldexp(to_float(scale), rule.exponent);
    m.finite[byte] =
        std::ranges::all_of(m.weights[byte], [](Half weight) { return (weight & 0x7C00) != 0x7C00; });
  }
  return m;
}

}  // namespace

Nvfp4Weights::Nvfp4Weights(const Nvfp4View& view, const Nvfp4Rule& rule) : view_(view) {
  check_shape(view);
  std::map<float, std::size_t> known;
  for (const float global : view.globals) {
    const auto [found, is_new] = known.emplace(global, meanings_.size());
    if (is_new) meanings_.push_back(meaning(global, rule));
    of_global_.push_back(found->second);
  }
}

const ScaleMeaning& Nvfp4Weights::meaning_of_row(std::uint32_t row) const {
  return meanings_[of_global_[global_index(view_, row)]];
}

void Nvfp4Weights::row(std::uint32_t row, Half* to) const {
  const ScaleMeaning& m = meaning_of_row(row);
  for (std::uint32_t k = 0; k < view_.k; ++k) {
    const std::uint8_t scale = view_.scales[(std::size_t{row} * view_.k + k) / group_k];
    to[k] = m.weights[scale][code_at(view_, row, k)];
  }
}

std::vector<Half> decode(const Nvfp4View& view, const Nvfp4Rule& rule) {
  const Nvfp4Weights weights(view, rule);
  std::vector<Half> all(std::size_t{view.n} * view.k);
  tbb::parallel_for(0U, view.n,
                    [&](std::uint32_t row) { weights.row(row, all.data() + std::size_t{row} * view.k); });
  return all;
}

}  // namespace quadpair::reference
