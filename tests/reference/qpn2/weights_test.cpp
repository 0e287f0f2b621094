#include "reference/qpn2/weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "reference/gemm/gemm.hpp"
#include "tests/reference/formats/by_hand.hpp"
#include "tests/reference/gemm/gemm_cases.hpp"

namespace quadpair::reference::test {
namespace {

TEST(Decode, EveryCodeAndScaleIsRoundedInTheContractsOrder) {
  constexpr int bytes = 0x7F;  // all but NaN and the negative ones
  std::vector<std::uint8_t> codes(bytes * 8), scales(bytes);
  for (int byte = 0; byte < bytes; ++byte) {
    scales[byte] = static_cast<std::uint8_t>(byte);
    for (int i = 0; i < 8; ++i) codes[byte * 8 + i] = static_cast<std::uint8_t>((2 * i + 1) << 4 | 2 * i);
  }
  std::mt19937 random(1);
  std::vector<float> globals = {1.0F / 3584, 1.0F / 2688, 1.0F / 1344, 0x1p-14F, 0x1p-39F, 1.0F, 0x1.ffcp+1F};
  for (int e = -38; e <= -7; ++e)
    globals.push_back(std::ldexp(1.0F + static_cast<float>(random() >> 8) * 0x1p-24F, e));
  int subnormal = 0, not_finite = 0;
  for (const float g : globals) {
    const std::vector<Half> weights = decode_qpn2({bytes, 16, 1, codes, scales, {&g, 1}});
    const Half global = rounded_half(std::ldexp(static_cast<double>(g), 14));
    for (int byte = 0; byte < bytes; ++byte) {
      const Half scale = rounded_half(e4m3(byte) * half_value(global));
      for (int code = 0; code < 16; ++code) {
        const Half actual = weights[byte * 16 + code];
        if ((scale & 0x7C00) == 0x7C00) {  // refused at preparation; must not pass for a number
          ASSERT_EQ(actual & 0x7C00, 0x7C00) << g << " " << byte << " " << code;
          ++not_finite;
          continue;
        }
        const double exact = std::ldexp(e2m1[code & 7], -14) * half_value(scale);
        ASSERT_EQ(actual, rounded_half((code & 8) != 0 ? -exact : exact)) << g << " " << byte << " " << code;
        if ((actual & 0x7C00) == 0 && (actual & 0x3FF) != 0) ++subnormal;
      }
    }
  }
  EXPECT_GT(subnormal, 1000);
  EXPECT_GT(not_finite, 100);
}

TEST(Decode, EvenKIsInTheLowNibble) {
  std::vector<std::uint8_t> codes(8, 0x21), scales = {0x38};
  const float g = 1;
  const auto weights = decode_qpn2({1, 16, 1, codes, scales, {&g, 1}});
  for (std::size_t k = 0; k < 16; ++k) EXPECT_EQ(weights[k], k % 2 == 0 ? 0x3800 : 0x3C00);  // 0.5, 1.0
}

TEST(Decode, EachTileOfThePaddedMatrixHasItsOwnGlobalScale) {
  constexpr std::uint32_t n = 160, k = 16;
  std::vector<std::uint8_t> codes(n * k / 2, 0x22), scales(n, 0x38);
  const std::vector<float> globals = {1, 2, 0.5, 0.25, 0.125, 0.0625};  // 96 + 96 padded rows
  const auto weights = decode_qpn2({n, k, 2, codes, scales, globals});
  for (std::uint32_t row = 0; row < n; ++row) {
    const std::uint32_t tile = row < 80 ? row / 32 : 3 + (row - 80) / 32;
    ASSERT_EQ(half_value(weights[row * k]), globals[tile]) << row;
  }
}

TEST(Decode, OneHotWeightsPickEachK) {
  constexpr std::uint32_t k = 128;
  std::vector<std::uint8_t> codes(k * k / 2), scales(k * k / 16, 0x38);
  for (std::uint32_t i = 0; i < k; ++i) codes[(i * k + i) / 2] = i % 2 == 0 ? 0x02 : 0x20;
  const float g = 1;
  const GemmMatrix identity(decode_qpn2({k, k, 1, codes, scales, {&g, 1}}), k, k);
  std::vector<Half> x;
  for (Half i = 0; i < 2 * k; ++i) x.push_back(static_cast<Half>(0x3001 + 37 * i));
  for (const Model model : all_models)
    EXPECT_EQ(identity.gemm(x.data(), 2, k, plan_for(model, k, 2, 2), model), x) << to_string(model);
}

// The contract's layouts, read from the packed side. c(l) written out: lane bits 2..3 choose the block of 8
// columns, bits 0, 1 and 4 the column inside it.
constexpr int column_of_lane[32] = {0, 1, 2, 3, 8,  9,  10, 11, 16, 17, 18, 19, 24, 25, 26, 27,
                                    4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31};

class Packing : public testing::TestWithParam<std::pair<int, int>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, Packing,
                         testing::Values(std::pair(64, 1), std::pair(40, 1), std::pair(160, 2),
                                         std::pair(64, 2)));

TEST_P(Packing, IsThePermutationOfTheContract) {
  const auto [n, halves] = GetParam();
  constexpr int k = 64, groups = k / 16;
  const Operands o(Fill::any_finite, 0, n, k, k, halves, 1);
  const auto codes = pack_qpn2_codes(o.view());
  const auto scales = pack_qpn2_scales(o.view());
  const int padded = halves * ((n / halves + 31) / 32 * 32);
  ASSERT_EQ(padded_rows(o.view()), padded);
  ASSERT_EQ(codes.size(), padded * k / 2);
  ASSERT_EQ(scales.size(), padded * k / 16);
  for (int row = 0; row < n; ++row) ASSERT_EQ(logical_row(padded_row(o.view(), row), n, halves), row);
  for (int i = 0; i < static_cast<int>(scales.size()); ++i) {
    const int lane = i % 32, group = i / 32 % groups, tile = i / 32 / groups;
    const int row = logical_row(32 * tile + column_of_lane[lane], n, halves);
    ASSERT_EQ(scales[i], row < 0 ? 0 : o.scales[row * groups + group]) << i;
    for (int nibble = 0; nibble < 16; ++nibble) {
      const int at = 16 * group + nibble / 8 * 8 + logical_of_physical[nibble % 8];
      const int byte = row < 0 ? 0 : o.codes[(row * k + at) / 2];
      ASSERT_EQ(codes[i * 8 + nibble / 2] >> nibble % 2 * 4 & 15, byte >> at % 2 * 4 & 15)
          << i << " " << nibble;
    }
  }
}

TEST(Weights, RefusesBuffersOfAnotherShape) {
  const std::vector<std::uint8_t> codes(32 * 8), scales(32);
  const std::vector<float> g(1, 1.0F), two(2, 1.0F);
  EXPECT_NO_THROW(decode_qpn2({32, 16, 1, codes, scales, g}));
  EXPECT_THROW(decode_qpn2({32, 32, 1, codes, scales, g}), std::invalid_argument);
  EXPECT_THROW(decode_qpn2({32, 16, 1, codes, {scales.data(), 31}, g}), std::invalid_argument);
  EXPECT_THROW(decode_qpn2({32, 16, 1, codes, scales, two}), std::invalid_argument);
  EXPECT_THROW(decode_qpn2({32, 16, 3, codes, scales, g}), std::invalid_argument);
  EXPECT_THROW(pack_qpn2_codes({32, 32, 1, codes, scales, g}), std::invalid_argument);
  EXPECT_THROW(pack_qpn2_scales({32, 32, 1, codes, scales, g}), std::invalid_argument);
}

}  // namespace
}  // namespace quadpair::reference::test
