#include "tests/reference/gemm/gemm_cases.hpp"

#include <bit>
#include <cmath>
#include <cstdio>

namespace quadpair::reference::test {
namespace {

std::vector<std::uint32_t> even_slices(std::uint32_t units, std::uint32_t split_k) {
  std::vector<std::uint32_t> slices;
  for (std::uint32_t w = 0; w <= split_k; ++w) slices.push_back(w * units / split_k);
  return slices;
}

Half activation(Fill fill, std::mt19937& random) {
  std::normal_distribution<float> normal;
  const Half sign = (random() & 1) != 0 ? 0x8000 : 0;
  switch (fill) {
    case Fill::normal:
    case Fill::cancelling: return to_half(normal(random));
    case Fill::any_finite: return static_cast<Half>(sign | random() % 0x7C00);
    case Fill::subnormal: return static_cast<Half>(sign | random() % 0x800);
    case Fill::subnormal_by_large: return static_cast<Half>(sign | random() % 0x400);
    case Fill::full_significands: return static_cast<Half>(sign | (0x3FFF - (random() % 8 == 0 ? 1 : 0)));
    case Fill::special: break;
  }
  constexpr Half specials[] = {0x7C00, 0xFC00, 0x7E01, 0x7C01, 0xFFFF, 0x8000, 0x0000, 0x7BFF, 0x0001};
  return random() % 200 == 0 ? specials[random() % std::size(specials)] : to_half(normal(random));
}

template <class Bits, class T>
std::string first_difference(const std::vector<T>& expected, const std::vector<T>& actual,
                             std::size_t columns) {
  if (expected.size() != actual.size()) return "sizes differ";
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::uint32_t a = std::bit_cast<Bits>(expected[i]), b = std::bit_cast<Bits>(actual[i]);
    if (a == b) continue;
    char text[96];
    std::snprintf(text, sizeof text, "[%zu, %zu]: expected 0x%x, actual 0x%x", i / columns, i % columns, a,
                  b);
    return text;
  }
  return "";
}

}  // namespace

AccumulationPlan sm70_plan(std::uint32_t k, std::uint32_t split_k, std::uint32_t chains) {
  AccumulationPlan plan;
  plan.chains = chains;
  for (std::uint16_t q = 0; q < 4; ++q) {
    FusedStep step{q % chains, {}};
    for (std::uint16_t e = 0; e < 4; ++e) step.k.push_back(4 * q + e);
    plan.steps.push_back(step);
  }
  plan.slices = even_slices(k / 16, split_k);
  return plan;
}

AccumulationPlan native_plan(std::uint32_t k, std::uint32_t split_k, std::uint32_t chains) {
  AccumulationPlan plan;
  plan.mma = MmaShape::m16n8k16;
  plan.unit_k = 64;
  plan.chains = chains;
  for (std::uint16_t j = 0; j < 4; ++j) {
    FusedStep step{j % chains, std::vector<std::uint16_t>(16)};
    for (std::uint16_t t = 0; t < 4; ++t)
      for (std::uint16_t e = 0; e < 4; ++e) step.k[2 * t + (e < 2 ? e : 8 + e - 2)] = 16 * t + 4 * j + e;
    plan.steps.push_back(step);
  }
  plan.slices = even_slices(k / 64, split_k);
  return plan;
}

AccumulationPlan plan_for(Model model, std::uint32_t k, std::uint32_t split_k, std::uint32_t chains) {
  return model == Model::ampere || model == Model::hopper ? native_plan(k, split_k, chains)
                                                          : sm70_plan(k, split_k, chains);
}

std::string to_string(Fill fill) {
  switch (fill) {
    case Fill::normal: return "normal";
    case Fill::any_finite: return "any_finite";
    case Fill::cancelling: return "cancelling";
    case Fill::subnormal: return "subnormal";
    case Fill::subnormal_by_large: return "subnormal_by_large";
    case Fill::full_significands: return "full_significands";
    case Fill::special: return "special";
  }
  return "unknown";
}

Operands::Operands(Fill fill, std::uint32_t rows, std::uint32_t n_, std::uint32_t k_, std::uint32_t ldx_,
                   std::uint32_t halves_, std::uint32_t seed)
    : m(rows), n(n_), k(k_), ldx(ldx_), halves(halves_), x(std::size_t{rows} * ldx_, 0x7E00) {
  std::mt19937 random(seed);
  codes.resize(std::size_t{n} * k / 2);
  scales.resize(std::size_t{n} * k / 16);
  for (auto& pair : codes) pair = static_cast<std::uint8_t>(random());
  for (auto& scale : scales) scale = static_cast<std::uint8_t>(0x28 + random() % 32);
  global = 0x1.5p-9F;
  switch (fill) {
    case Fill::normal: break;
    case Fill::any_finite:
      for (auto& scale : scales) scale = static_cast<std::uint8_t>(random() % 0x7F);
      break;
    case Fill::cancelling:  // pairs of equal weights, to meet pairs of almost opposite activations
      for (auto& pair : codes) pair = static_cast<std::uint8_t>((pair & 0xF) * 0x11);
      break;
    case Fill::subnormal: global = 0x1.7p-18F; break;
    case Fill::subnormal_by_large: global = 0x1.7p-2F; break;
    case Fill::full_significands:  // weights +-(2 - 2^-10) . 2^e, few e
      for (std::size_t i = 0; i < codes.size(); ++i) {
        codes[i] = static_cast<std::uint8_t>((random() % 8 == 0 ? 0x24 : 0x22) | (random() & 0x88));
        if (i / (k / 2) % 2 == 0) codes[i] &= 0x77;  // rows of one sign: steps that sum past 2^31 ulps
      }
      for (auto& scale : scales) scale = 0x38;
      global = 0x1.ffcp-3F;
      break;
    case Fill::special:
      for (auto& scale : scales)
        if (random() % 997 == 0) scale = 0x7F;
      break;
  }
  for (std::uint32_t row = 0; row < m; ++row) {
    for (std::uint32_t i = 0; i < k; ++i) {
      Half& h = x[std::size_t{row} * ldx + i];
      h = activation(fill, random);
      if (fill == Fill::cancelling && i % 2 == 1)
        h = x[std::size_t{row} * ldx + i - 1] ^ 0x8000 ^ (random() & 1);
      if (fill == Fill::full_significands && row % 3 != 0) h = (h & 0x7FFF) | (row % 3 == 1 ? 0 : 0x8000);
    }
  }
}

Nvfp4View Operands::view() const {
  return {n, k, halves, codes, scales, {&global, 1}};
}

GemmMatrix Operands::matrix() const {
  return {view(), qpn2_rule};
}

std::vector<float> scalar_sums(const Operands& o, const AccumulationPlan& plan, Model model) {
  const std::vector<Half> weights = decode_qpn2(o.view());
  std::vector<float> y(std::size_t{o.m} * o.n);
  const std::size_t width = products(plan.mma);
  std::vector<Half> a(width), b(width);
  for (std::size_t row = 0; row < o.m; ++row) {
    for (std::size_t column = 0; column < o.n; ++column) {
      float sum = 0;
      for (std::uint32_t slice = 0; slice < plan.slice_count(); ++slice) {
        std::vector<std::uint32_t> chains(plan.chains, 0);
        for (std::uint32_t unit = plan.slices[slice]; unit < plan.slices[slice + 1]; ++unit) {
          for (const FusedStep& step : plan.steps) {
            for (std::size_t i = 0; i < width; ++i) {
              const std::size_t k = std::size_t{unit} * plan.unit_k + step.k[i];
              a[i] = o.x[row * o.ldx + k];
              b[i] = weights[column * o.k + k];
            }
            chains[step.chain] = fused_sum(model, a, b, chains[step.chain]);
          }
        }
        float slice_sum = std::bit_cast<float>(chains[0]);
        for (std::uint32_t c = 1; c < plan.chains; ++c) slice_sum += std::bit_cast<float>(chains[c]);
        sum += slice_sum;
      }
      y[row * o.n + column] = std::isnan(sum) ? std::bit_cast<float>(float_nan) : sum;
    }
  }
  return y;
}

std::vector<Half> rounded(const std::vector<float>& sums) {
  std::vector<Half> halves;
  halves.reserve(sums.size());
  for (const float sum : sums) halves.push_back(to_half(sum));
  return halves;
}

std::string difference(const std::vector<float>& expected, const std::vector<float>& actual,
                       std::size_t columns) {
  return first_difference<std::uint32_t>(expected, actual, columns);
}

std::string difference(const std::vector<Half>& expected, const std::vector<Half>& actual,
                       std::size_t columns) {
  return first_difference<Half>(expected, actual, columns);
}

}  // namespace quadpair::reference::test
