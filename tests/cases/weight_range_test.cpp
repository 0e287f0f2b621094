// The decode rule's ranges over the made-up matrices: which are admissible, and what their edges are.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/made_up.hpp"
#include "cases/operators.hpp"
#include "cases/slices.hpp"
#include "cases/suite.hpp"
#include "reference/formats/fp16.hpp"
#include "reference/formats/fp4_fp8.hpp"

namespace quadpair::cases {
namespace {

using namespace reference;

bool finite(Half h) {
  return (h & 0x7C00) != 0x7C00;
}
bool zero(Half h) {
  return (h & 0x7FFF) == 0;
}
bool subnormal(Half h) {
  return (h & 0x7C00) == 0 && !zero(h);
}

float global_of_row(const QuantizedMatrix& w, std::uint32_t row) {
  if (w.globals.size() == 1) return w.globals[0];
  const std::uint32_t half = w.n / w.halves, padded = (half + 31) / 32;
  return w.globals.at(row / half * padded + row % half / 32);
}

/// G = h(g 2^14)
Half placed_global(float g) {
  return to_half(static_cast<double>(g) * 0x1p14);
}

bool admissible(const QuantizedMatrix& w) {
  for (std::size_t i = 0; i < w.scales.size(); ++i) {
    const float g = global_of_row(w, static_cast<std::uint32_t>(i / (w.k / 16)));
    const Half global = placed_global(g);
    if (!(g > 0) || !finite(global) || zero(global) || w.scales[i] >= 0x7F ||
        !finite(mul(to_half(e4m3_value(w.scales[i])), global)))
      return false;
  }
  return true;
}

/// w = h((e2m1 2^-14) h(h(e4m3) G))
Half weight(const QuantizedMatrix& w, std::uint32_t row, std::uint32_t k) {
  const std::size_t at = std::size_t{row} * w.k + k;
  const std::uint8_t code = w.codes[at / 2] >> (4 * (at & 1)) & 15;
  const Half scale = mul(to_half(e4m3_value(w.scales[at / 16])), placed_global(global_of_row(w, row)));
  return mul(to_half(e2m1_value(code) * 0x1p-14f), scale);
}

TEST(WeightRange, EveryCaseNotRefusedIsAdmissible) {
  for (const std::string& name : suite_names()) {
    std::string last;
    for (const Case& c : load_suite(name).cases) {
      const OperatorTraits traits = operator_traits(c.operation).value();
      if (c.slice == last || traits.head || traits.fp8) continue;  // no NVFP4 weights
      last = c.slice;
      const auto w = load_slice(c.slice, 1);
      if (w->name.starts_with("refused."))
        EXPECT_TRUE(c.refused) << c.id;
      else
        EXPECT_TRUE(admissible(*w)) << c.id;
    }
  }
}

TEST(WeightRange, RefusedMatricesAreNot) {
  for (const char* name :
       {"refused.scale_nan", "refused.scale_minus_nan", "refused.scale_negative", "refused.scale_infinite",
        "refused.global_zero", "refused.global_negative", "refused.global_infinite", "refused.global_nan",
        "refused.global_overflow", "refused.global_underflow"}) {
    QuantizedMatrix w = *load_slice(name, 1);
    EXPECT_FALSE(admissible(w)) << name;
    // Sound but for the one fault: a scale of 2 and a usual g heal it.
    for (std::uint8_t& scale : w.scales)
      if (scale > 0x47) scale = 0x40;
    w.globals = {1.0f / 2688};
    EXPECT_TRUE(admissible(w)) << name;
  }
}

TEST(WeightRange, TinyGlobalMakesSubnormalWeightsThatAreNotAllZero) {
  const auto w = load_slice("edge.tiny_global", 1);
  std::size_t subnormals = 0, normals = 0;
  for (std::uint32_t row = 0; row < w->n; ++row)
    for (std::uint32_t k = 0; k < w->k; ++k) {
      const Half value = weight(*w, row, k);
      subnormals += subnormal(value);
      normals += !subnormal(value) && !zero(value);
    }
  EXPECT_EQ(normals, 0u);
  EXPECT_GT(subnormals, std::size_t{w->n} * w->k / 4);
}

TEST(WeightRange, LargeGlobalAndSubnormalScales) {
  const auto large = load_slice("edge.large_global", 1);
  double largest = 0;
  for (std::uint32_t k = 0; k < large->k; ++k)
    largest = std::max(largest, std::fabs(double{to_float(weight(*large, 0, k))}));
  EXPECT_GT(largest, 8.0);
  const auto small = load_slice("edge.subnormal_scales", 1);
  for (std::uint8_t scale : small->scales) {
    EXPECT_GE(scale, 0x01);
    EXPECT_LE(scale, 0x07);
  }
}

TEST(WeightRange, UnscaledSumsPassFp16WhereResultsStayBelowOne) {
  const auto w = load_slice("edge.overflowing_sums", 1);
  std::size_t passing = 0;
  for (std::uint32_t row = 0; row < w->n; ++row) {
    double unscaled = 0, result = 0;  // for activations of alternating 1 and 2
    for (std::uint32_t k = 0; k < w->k; ++k) {
      const std::size_t at = std::size_t{row} * w->k + k;
      const double x = 1.0 + k % 2;
      unscaled += x * double{e2m1_value(w->codes[at / 2] >> (4 * (at & 1)) & 15)} *
                  double{e4m3_value(w->scales[at / 16])};
      result += x * double{to_float(weight(*w, row, k))};
    }
    EXPECT_LT(std::fabs(result), 1.0);
    passing += std::fabs(unscaled) > 65504;
  }
  EXPECT_GT(passing, w->n / 8);
}

TEST(WeightRange, ZeroScales) {
  const auto w = load_slice("edge.zero_scales", 1);
  for (std::uint32_t k = 0; k < w->k; ++k) EXPECT_TRUE(zero(weight(*w, 5, k)));
  std::size_t others = 0;
  for (std::uint32_t k = 0; k < w->k; ++k) others += !zero(weight(*w, 6, k));
  EXPECT_GT(others, w->k / 4);
}

}  // namespace
}  // namespace quadpair::cases
