// Each fill has the property that its name says.
#include "harness/inputs/fills.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cases/error.hpp"
#include "cases/suite.hpp"
#include "reference/formats/fp16.hpp"
#include "reference/formats/fp4_fp8.hpp"

namespace quadpair::inputs {
namespace {

using cases::QuantizedMatrix;
using reference::to_float;

std::vector<std::uint16_t> filled(Fill fill, const QuantizedMatrix& w, std::uint32_t m, unsigned round = 0) {
  return fill({w, m, round, cases::RandomStream(9, "fills").child(round)});
}

/// A matrix of nothing but a shape.
QuantizedMatrix shaped(std::uint32_t n, std::uint32_t k) {
  return {
      "shape", "test", n, k, 1, std::vector<std::uint8_t>(n * k / 2), std::vector<std::uint8_t>(n * k / 16),
      {1}};
}

struct Moments {
  double mean = 0, rms = 0, fourth = 0, largest = 0;
};

Moments moments(const std::vector<std::uint16_t>& x) {
  Moments result;
  for (std::uint16_t bits : x) {
    const double value = to_float(bits);
    result.mean += value / static_cast<double>(x.size());
    result.rms += value * value / static_cast<double>(x.size());
    result.fourth += std::pow(value, 4) / static_cast<double>(x.size());
    result.largest = std::max(result.largest, std::fabs(value));
  }
  result.rms = std::sqrt(result.rms);
  return result;
}

TEST(Fills, NormalHasTheMomentsOfANormal) {
  const Moments m = moments(filled(fill_normal, shaped(1, 3072), 32));
  EXPECT_NEAR(m.mean, 0, 0.02);  // six deviations of the mean of 98,304
  EXPECT_NEAR(m.rms, 1, 0.02);
  EXPECT_NEAR(m.fourth, 2.9, 0.1);  // twelve uniforms: 3 - 1.2/12
  EXPECT_GT(m.largest, 3.5);
  EXPECT_LT(m.largest, 6);
}

TEST(Fills, HeavyHasTailsAsRealActivationsHave) {
  const Moments m = moments(filled(fill_heavy, shaped(1, 3072), 32));
  EXPECT_GT(m.largest / m.rms, 30);
  EXPECT_LT(m.largest / m.rms, 300);
  EXPECT_LT(m.largest, 65504 / 16);
}

TEST(Fills, SubnormalsAreSubnormalAndOfEverySize) {
  std::set<int> magnitudes;
  std::size_t negative = 0;
  const auto x = filled(fill_subnormal, shaped(1, 768), 8);
  for (std::uint16_t bits : x) {
    ASSERT_EQ(bits & 0x7C00, 0);
    ASSERT_NE(bits & 0x03FF, 0);
    magnitudes.insert(static_cast<int>(std::log2(bits & 0x03FF)));
    negative += bits >> 15;
  }
  EXPECT_EQ(magnitudes.size(), 10u);  // 2^-24 to 2^-15
  EXPECT_NEAR(static_cast<double>(negative) / static_cast<double>(x.size()), 0.5, 0.04);
}

TEST(Fills, ExactSumsAreExactInAnyOrder) {
  // In units of 1/2 every product is an integer. While the sum of magnitudes is below 2^23 every partial sum
  // in any order is an FP32 number, and no step that keeps 23 bits below the largest term truncates.
  const auto w = cases::load_slice("edge.unit", 4);
  const auto x = filled(fill_exact, *w, 8);
  std::size_t nonzero = 0;
  for (std::size_t row = 0; row < 8; ++row)
    for (std::size_t n = 0; n < w->n; ++n) {
      double magnitudes = 0;
      for (std::size_t k = 0; k < w->k; ++k) {
        const std::uint8_t code = w->codes[(n * w->k + k) / 2] >> (4 * (k & 1)) & 15;
        const double units = 2.0 * double{to_float(x[row * w->k + k])} * double{reference::e2m1_value(code)};
        ASSERT_EQ(units, std::round(units));
        magnitudes += std::fabs(units);
      }
      EXPECT_LT(magnitudes, 0x1p23);
      nonzero += magnitudes > 0;
    }
  EXPECT_EQ(nonzero, 8u * w->n);
  for (std::uint8_t scale : w->scales) ASSERT_EQ(reference::e4m3_value(scale), 1.0f);
}

TEST(Fills, SpecialRowsHoldWhatTheySay) {
  const std::size_t k = 64;
  const auto x = filled(fill_special, shaped(1, k), 8);
  for (std::size_t row = 0; row < 8; ++row) {
    std::size_t plus = 0, minus = 0, nan = 0;
    for (std::size_t i = 0; i < k; ++i) {
      const float value = to_float(x[row * k + i]);
      nan += std::isnan(value);
      plus += std::isinf(value) && value > 0;
      minus += std::isinf(value) && value < 0;
    }
    EXPECT_EQ(plus, row % 4 == 0 || row % 4 == 2 ? 1u : 0u) << row;
    EXPECT_EQ(minus, row % 4 == 2 ? 1u : 0u) << row;
    EXPECT_EQ(nan, row % 4 == 1 ? 1u : 0u) << row;
  }
}

TEST(Fills, OnehotSweepsAllOfK) {
  const std::uint32_t k = 128, m = 64;
  std::vector<int> hits(k);
  for (unsigned round : {0, 1}) {
    const auto x = filled(fill_onehot, shaped(1, k), m, round);
    for (std::size_t row = 0; row < m; ++row) {
      EXPECT_EQ(std::count(&x[row * k], &x[row * k] + k, 0x3C00), 1);
      EXPECT_EQ(std::count(&x[row * k], &x[row * k] + k, 0x0000), k - 1);
      for (std::size_t i = 0; i < k; ++i) hits[i] += x[row * k + i] == 0x3C00;
    }
  }
  EXPECT_EQ(hits, std::vector<int>(k, 1));
}

/// How far silu is from the middle between two FP16 numbers, in last places of an FP32 number beside it.
long double steps_from_a_tie(long double gate) {
  const long double silu = gate / (1 + std::exp(-gate));
  const int half_place = std::ilogb(silu) - 11, place = std::ilogb(silu) - 23;
  const long double halves = std::ldexp(silu, -half_place);  // FP16 numbers are even, ties odd
  return std::ldexp(std::fabs(halves - (2 * std::floor(halves / 2) + 1)), half_place - place);
}

TEST(Fills, GatesLieAtTiesOfSiluAndBeyondExp) {
  const std::size_t k = 256;
  std::set<std::uint16_t> ties, beyond;
  for (const unsigned round : {0, 1}) {
    const auto x = filled(fill_gates, shaped(1, k), 8, round);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float gate = to_float(x[i]);
      if (i % k == k - 1) {
        EXPECT_EQ(gate, 1);
      } else if (std::fabs(gate) > 88) {
        beyond.insert(x[i]);
      } else if (steps_from_a_tie(gate) < 9) {
        ties.insert(x[i]);
      } else {
        EXPECT_EQ(x[i], 0xC537);  // a usual one
      }
    }
  }
  EXPECT_EQ(ties.size(), 9u);
  EXPECT_EQ(beyond.size(), 3u);
}

/// The largest sum|p| / |sum p| over the matrix's rows, of exact products.
double worst_cancellation(const QuantizedMatrix& w, const std::uint16_t* x) {
  double worst = 0;
  for (std::size_t n = 0; n < w.n; ++n) {
    double sum = 0, magnitudes = 0;
    for (std::size_t k = 0; k < w.k; ++k) {
      const std::size_t at = n * w.k + k;
      const double product = double{to_float(x[k])} *
                             double{reference::e2m1_value(w.codes[at / 2] >> (4 * (at & 1)) & 15)} *
                             double{reference::e4m3_value(w.scales[at / 16])};
      sum += product;
      magnitudes += std::fabs(product);
    }
    worst = std::max(worst, magnitudes / std::fabs(sum));
  }
  return worst;
}

TEST(Fills, CancelCancelsInEveryRow) {
  const auto w = cases::load_slice("whisper.2.o", 0);
  const auto cancelling = filled(fill_cancel, *w, 6), normal = filled(fill_normal, *w, 6);
  for (std::size_t row = 0; row < 6; ++row)
    EXPECT_GT(worst_cancellation(*w, &cancelling[row * w->k]), 1e5) << row;
  // Chance alone gives such a ratio to hardly any of 768 outputs.
  EXPECT_LT(worst_cancellation(*w, &normal[0]), 1e5);
}

TEST(Fills, RealRowsAreTheSlicesActivations) {
  const auto w = cases::load_slice("minilm.0.down", 0);
  const auto real = cases::load_activations("minilm.0.down").value();
  const auto eager = filled(fill_real, *w, 33), replay = filled(fill_real, *w, 33, 1);
  EXPECT_TRUE(std::equal(eager.begin(), eager.end(), real.values.begin()));
  // Round 1 begins at row 37 and goes round: rows 37..63, then 0..5.
  EXPECT_TRUE(std::equal(replay.begin(), replay.begin() + 27 * 1536, real.values.begin() + 37 * 1536));
  EXPECT_TRUE(std::equal(replay.begin() + 27 * 1536, replay.end(), real.values.begin()));
  EXPECT_THROW(filled(fill_real, shaped(1, 64), 1), cases::DataError);
}

}  // namespace
}  // namespace quadpair::inputs
