// What the FP8 matrices of suite `qpn8` hold, decoded by the formats' definition.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bitset>
#include <cmath>
#include <set>

#include "cases/suite.hpp"

namespace quadpair::cases {
namespace {

/// E4M3FN by its definition; NaN for 0x7F and 0xFF.
double e4m3(std::uint8_t code) {
  const int exponent = code >> 3 & 15, fraction = code & 7;
  if ((code & 0x7F) == 0x7F) return std::nan("");
  const double magnitude = exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(8 + fraction, exponent - 10);
  return code & 0x80 ? -magnitude : magnitude;
}

/// x >= 0 rounded to FP16, nearest even, in units of its last place.
double half(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);  // x = f . 2^exponent, f in [1/2, 1)
  const double unit = std::ldexp(1.0, std::max(exponent - 11, -24));
  const double rounded = std::nearbyint(x / unit) * unit;
  return rounded > 65504 ? std::numeric_limits<double>::infinity() : rounded;
}

double scale_of(const QuantizedMatrix& w, std::size_t i) {
  if (w.format == WeightFormat::fp8_channel) return w.fp8_scales[i / w.k];
  return w.fp8_scales[i / w.k / 128 * ((w.k + 127) / 128) + i % w.k / 128];
}

/// Whether QPN8 can hold the matrix: every scale and every weight a number, and none that is not 0 vanishes.
bool admissible(const QuantizedMatrix& w) {
  if (w.format == WeightFormat::fp8_block && (w.n % 128 != 0 || w.k % 128 != 0)) return false;
  for (std::size_t i = 0; i < w.codes.size(); ++i) {
    const double scale = scale_of(w, i), code = std::fabs(e4m3(w.codes[i]));
    if (!(scale >= 0) || std::isnan(code)) return false;
    const double packed = half(scale * 256);
    if (!std::isfinite(packed) || !std::isfinite(half(code / 256 * packed))) return false;
    if (code != 0 && packed == 0) return false;
  }
  return true;
}

TEST(Fp8Matrices, AreAdmissibleUnlessTheyHaveAFault) {
  std::set<std::string> seen;
  for (const Case& c : load_suite("qpn8").cases) {
    if (!seen.insert(c.slice).second) continue;
    const auto w = load_slice(c.slice, 1);
    EXPECT_EQ(admissible(*w), !c.slice.starts_with("refused.")) << c.slice;
    EXPECT_TRUE(w->fp16.empty() || w->fp16.size() == w->codes.size());
  }
  EXPECT_GT(seen.size(), 15u);
}

TEST(Fp8Matrices, HoldAllCodes) {
  for (const char* name :
       {"fp8.channel", "fp8.block", "fp8.scales", "whisper.head.fp8", "whisper.head.fp8_block"}) {
    std::bitset<256> codes;
    const auto w = load_slice(name, 1);
    for (const std::uint8_t code : w->codes) codes.set(code);
    EXPECT_EQ(codes.count(), 254u) << name;
  }
}

TEST(Fp8Matrices, ScalesReachBothEndsOfFp16) {
  double least = 1, most = 0;
  const auto w = load_slice("fp8.scales", 1);
  for (const float scale : w->fp8_scales) {
    least = std::min(least, half(double{scale} * 256));
    most = std::max(most, half(double{scale} * 256) * 1.75);  // the largest code's weight
  }
  EXPECT_EQ(least, 0x1p-24);
  EXPECT_GT(most, 32768);
}

TEST(Fp8Matrices, QuantisedRowsHoldZerosAndTies) {
  const auto w = load_slice("fp8.quantized", 1);
  std::size_t zero_rows = 0, ties = 0;
  for (std::size_t row = 0; row < w->n; ++row) {
    bool zero = true;
    for (std::size_t i = row * w->k; i < (row + 1) * w->k; ++i) {
      zero = zero && (w->codes[i] & 0x7F) == 0;
      const int exponent = (w->fp16[i] >> 10 & 31) - 15, fraction = w->fp16[i] & 0x3FF;
      // With scale 1 a number whose first dropped bit alone is set lies between two codes.
      ties += w->fp8_scales[row] == 1 && exponent >= -6 && (fraction & 0x7F) == 0x40 ? 1 : 0;
    }
    zero_rows += zero ? 1 : 0;
  }
  EXPECT_EQ(zero_rows, w->n / 8 + 1);
  EXPECT_GT(ties, 100u);
}

}  // namespace
}  // namespace quadpair::cases
