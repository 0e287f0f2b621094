#include "reference/wide/weights.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "reference/qpn2/weights.hpp"
#include "tests/reference/formats/by_hand.hpp"
#include "tests/reference/gemm/gemm_cases.hpp"

namespace quadpair::reference::test {
namespace {

/// f(a . b) by MPFR: the exact product, then one rounding to FP32.
double single_product(double a, double b) {
  mpfr_t left, right, exact;
  mpfr_inits2(60, left, right, exact, nullptr);
  mpfr_set_d(left, a, MPFR_RNDN);
  mpfr_set_d(right, b, MPFR_RNDN);
  mpfr_mul(exact, left, right, MPFR_RNDN);
  const double single = static_cast<double>(mpfr_get_flt(exact, MPFR_RNDN));
  mpfr_clears(left, right, exact, nullptr);
  return single;
}

/// Multipliers whose product with 9 (a scale of 1.125) lies less than half an FP32 ulp above the middle of
/// two FP16 numbers, the lower one even: rounded to FP32 first it falls on the middle, and then down.
std::vector<float> twice_rounded_globals() {
  std::vector<float> globals;
  for (int even = 1024; even < 1150; even += 2)
    for (int above = 1; above < 8; ++above)
      if (const int product = (2 * even + 1) * 65536 + above, ninth = product / 9; 9 * ninth == product)
        globals.push_back(std::ldexp(static_cast<float>(ninth), -34));
  return globals;
}

/// Multipliers of real checkpoints, powers of two, the ends of FP32, and some at random.
std::vector<float> swept_globals() {
  std::mt19937 random(1);
  std::vector<float> globals = twice_rounded_globals();
  globals.insert(globals.end(), {1.0F / 3584, 1.0F / 2688, 1.0F / 1344, 0x1p-14F, 0x1p-24F, 1.0F, 0x1p-33F,
                                 146.25F, 0x1p-126F, 0x1p-149F, 0x1.fffffep127F});
  for (int e = -40; e <= 8; ++e)
    for (int i = 0; i < 4; ++i)
      globals.push_back(std::ldexp(1.0F + static_cast<float>(random() >> 8) * 0x1p-24F, e));
  return globals;
}

constexpr int bytes = 0x7F;  // all but NaN and the negative ones

/// One row a scale byte, its 16 weights the 16 codes.
std::vector<std::uint8_t> every_code() {
  std::vector<std::uint8_t> codes(bytes * 8);
  for (int i = 0; i < bytes * 8; ++i)
    codes[i] = static_cast<std::uint8_t>((2 * (i % 8) + 1) << 4 | 2 * (i % 8));
  return codes;
}

std::vector<std::uint8_t> every_byte() {
  std::vector<std::uint8_t> scales(bytes);
  for (int byte = 0; byte < bytes; ++byte) scales[byte] = static_cast<std::uint8_t>(byte);
  return scales;
}

TEST(TurbomindDecode, EveryCodeAndScaleIsRoundedInTheContractsOrder) {
  const std::vector<std::uint8_t> codes = every_code(), scales = every_byte();
  int subnormal = 0, not_finite = 0, twice_rounded = 0, unlike_qpn2 = 0;
  for (const float g : swept_globals()) {
    const Nvfp4View view{bytes, 16, 1, codes, scales, {&g, 1}};
    const std::vector<Half> weights = decode_turbomind(view), qpn2 = decode_qpn2(view);
    const std::vector<Half> persistent = pack_turbomind_scales(view);
    for (int byte = 0; byte < bytes; ++byte) {
      const double product = single_product(e4m3(byte), g);
      const Half scale = rounded_half(std::min(product, 1e6));  // far past FP16's end
      ASSERT_EQ(persistent[byte], scale) << g << " " << byte;
      if (scale != rounded_half(std::min(e4m3(byte) * static_cast<double>(g), 1e6))) ++twice_rounded;
      for (int code = 0; code < 16; ++code) {
        const Half actual = weights[byte * 16 + code];
        if (scale == 0x7C00) {  // refused at preparation; must not pass for a number
          ASSERT_EQ(actual & 0x7C00, 0x7C00) << g << " " << byte << " " << code;
          ++not_finite;
          continue;
        }
        const double exact = e2m1[code & 7] * half_value(scale);
        ASSERT_EQ(actual, rounded_half((code & 8) != 0 ? -exact : exact)) << g << " " << byte << " " << code;
        if ((actual & 0x7C00) == 0 && (actual & 0x3FF) != 0) ++subnormal;
        if (actual != qpn2[byte * 16 + code]) ++unlike_qpn2;
      }
    }
  }
  EXPECT_GT(subnormal, 1000);
  EXPECT_GT(not_finite, 100);
  EXPECT_GT(unlike_qpn2, 1000) << "the two contracts differ";
  EXPECT_GT(twice_rounded, 10) << "no case tells f() from exact";
}

TEST(TurbomindDecode, EachTileOfThePaddedMatrixHasItsOwnGlobalScale) {
  constexpr std::uint32_t n = 160, k = 16;
  std::vector<std::uint8_t> codes(n * k / 2, 0x22), scales(n, 0x38);
  const std::vector<float> globals = {1, 2, 0.5, 0.25, 0.125, 0.0625};  // 96 + 96 padded rows
  const Nvfp4View view{n, k, 2, codes, scales, globals};
  const auto weights = decode_turbomind(view);
  const auto packed = pack_turbomind_scales(view);
  for (std::uint32_t row = 0; row < n; ++row) {
    const std::uint32_t padded = row < 80 ? row : 96 + row - 80;
    ASSERT_EQ(half_value(weights[row * k]), globals[padded / 32]) << row;
    ASSERT_EQ(half_value(packed[padded]), globals[padded / 32]) << row;
  }
}

class Packing : public testing::TestWithParam<std::pair<int, int>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, Packing,
                         testing::Values(std::pair(64, 1), std::pair(40, 1), std::pair(160, 2),
                                         std::pair(64, 2)));

TEST_P(Packing, IsThePermutationOfTheContract) {
  const auto [n, halves] = GetParam();
  constexpr int k = 64, runs = k / 8, groups = k / 16;
  const Operands o(Fill::any_finite, 0, n, k, k, halves, 1);
  const auto codes = pack_turbomind_codes(o.view());
  const auto scales = pack_turbomind_scales(o.view());
  const int padded = halves * ((n / halves + 31) / 32 * 32);
  ASSERT_EQ(codes.size(), padded * runs);
  ASSERT_EQ(scales.size(), padded * groups);
  for (int i = 0; i < static_cast<int>(codes.size()); ++i) {
    const int column = i % 32, run = i / 32 % runs, tile = i / 32 / runs;
    const int row = logical_row(32 * tile + column, n, halves);
    for (int p = 0; p < 8; ++p) {
      const int at = 8 * run + logical_of_physical[p];
      const int byte = row < 0 ? 0 : o.codes[(row * k + at) / 2];
      ASSERT_EQ(codes[i] >> 4 * p & 15, byte >> at % 2 * 4 & 15) << i << " " << p;
    }
  }
  for (int i = 0; i < static_cast<int>(scales.size()); ++i) {
    const int group = i / padded, row = logical_row(i % padded, n, halves);
    const double exact = row < 0 ? 0 : single_product(e4m3(o.scales[row * groups + group]), o.global);
    ASSERT_EQ(scales[i], rounded_half(exact)) << i;
  }
}

// Lane l of a qpn2 kernel finds its 16 nibbles in words (t . (K/8) + 2g) . 32 + c(l) and that + 32.
TEST(Packing, OneBufferOfCodesServesBothFamilies) {
  constexpr int n = 96, k = 128, groups = k / 16;
  const Operands o(Fill::any_finite, 0, n, k, k, 1, 2);
  const auto turbomind = pack_turbomind_codes(o.view());
  const auto qpn2 = pack_qpn2_codes(o.view());
  for (int tile = 0; tile < n / 32; ++tile)
    for (int group = 0; group < groups; ++group)
      for (int lane = 0; lane < 32; ++lane) {
        const int column = 8 * (lane >> 2 & 3) + (lane & 3) + ((lane & 16) != 0 ? 4 : 0);
        const int word = (tile * (k / 8) + 2 * group) * 32 + column;
        for (int byte = 0; byte < 8; ++byte)
          ASSERT_EQ(turbomind[word + byte / 4 * 32] >> byte % 4 * 8 & 0xFF,
                    qpn2[((tile * groups + group) * 32 + lane) * 8 + byte])
              << tile << " " << group << " " << lane;
      }
}

TEST(TurbomindWeights, RefusesBuffersOfAnotherShape) {
  const std::vector<std::uint8_t> codes(32 * 8), scales(32);
  const float g = 1;
  EXPECT_NO_THROW(decode_turbomind({32, 16, 1, codes, scales, {&g, 1}}));
  EXPECT_THROW(decode_turbomind({32, 32, 1, codes, scales, {&g, 1}}), std::invalid_argument);
  EXPECT_THROW(pack_turbomind_codes({32, 32, 1, codes, scales, {&g, 1}}), std::invalid_argument);
  EXPECT_THROW(pack_turbomind_scales({32, 32, 1, codes, scales, {&g, 1}}), std::invalid_argument);
}

}  // namespace
}  // namespace quadpair::reference::test
