#include "reference/qpn8/weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "tests/reference/formats/nearest_code.hpp"

namespace quadpair::reference {
namespace {

using testing::ElementsAre;

TEST(QuantizeFp8, CodesAreNearestToTheQuotient) {
  // Every positive finite FP16 number in a row with each of several maxima.
  const test::NearestCode nearest(test::code_values(127, 3, -6));
  for (const Half top : {Half{0x7BFF}, Half{0x5F00}, Half{0x3C01}, Half{0x0400}, Half{0x0007}}) {
    std::vector<Half> row;
    for (Half h = 0; h <= top; ++h) row.push_back(h);
    const Fp8Matrix q = quantize_fp8(row, 1, static_cast<std::uint32_t>(row.size()));
    const double amax = to_float(top);
    const auto scale = static_cast<float>(amax / 448);  // FP64 keeps the quotient far from FP32's midpoints
    ASSERT_EQ(q.scales, std::vector{scale});
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto quotient = static_cast<float>(static_cast<double>(to_float(row[i])) / double{scale});
      ASSERT_EQ(q.codes[i], nearest(quotient)) << i;
    }
  }
}

TEST(QuantizeFp8, RowsOfZerosAndSigns) {
  const std::vector<Half> w = {0x0000, 0x8000, 0x0000, 0x0000,   // zeros
                               0x3C00, 0xBC00, 0xB800, 0x0001};  // 1, -1, -0.5, 2^-24
  const Fp8Matrix q = quantize_fp8(w, 2, 4);
  EXPECT_THAT(q.codes, ElementsAre(0x00, 0x80, 0x00, 0x00, 0x7E, 0xFE, 0xF6, 0x00));
  EXPECT_THAT(q.scales, ElementsAre(0x1p-126F, 1.0F / 448));
  EXPECT_THROW(quantize_fp8(w, 3, 4), std::invalid_argument);
}

TEST(DecodeQpn8, ByHand) {
  // 448 . 2^-8 = 1.75; 2^-9 . 2^-8 = 2^-17, a subnormal FP16 number. Scale 3: h(768).
  std::vector<std::uint8_t> codes(16);
  codes[0] = 0x7E, codes[1] = 0x01, codes[2] = 0xB8, codes[3] = 0x80;
  const std::vector<float> scales = {3};
  const std::vector<Half> w = decode_qpn8({1, 16, Fp8Scales::channel, codes, scales});
  EXPECT_EQ(to_float(w[0]), 1344);         // 448 . 3
  EXPECT_EQ(to_float(w[1]), 3 * 0x1p-9F);  // exact: the subnormal is scaled up
  EXPECT_EQ(to_float(w[2]), -3);
  EXPECT_EQ(w[3], 0x8000);
}

TEST(DecodeQpn8, TheScaleIsRoundedFirst) {
  // 256 (1 + 2^-11 + 2^-20) rounds up to 256 (1 + 2^-10); 1.125 times that is 1.125 + 1.125 . 2^-10, between
  // FP16 numbers 2^-10 apart, and rounds to 1.125 + 2^-10.
  std::vector<std::uint8_t> codes(16);
  codes[0] = 0x39;  // 1.125
  const std::vector<float> scales = {1 + 0x1p-11F + 0x1p-20F};
  EXPECT_EQ(to_float(decode_qpn8({1, 16, Fp8Scales::channel, codes, scales})[0]), 1.125F + 0x1p-10F);
}

TEST(DecodeQpn8, BlocksHaveTheirOwnScales) {
  constexpr std::uint32_t n = 256, k = 384;
  const std::vector<std::uint8_t> codes(std::size_t{n} * k, 0x38);  // 1
  const std::vector<float> scales = {1, 2, 3, 4, 5, 6};
  const std::vector<Half> w = decode_qpn8({n, k, Fp8Scales::block, codes, scales});
  for (const auto& [row, column, value] : std::vector<std::tuple<std::size_t, std::size_t, float>>{
           {0, 0, 1}, {127, 127, 1}, {127, 128, 2}, {0, 383, 3}, {128, 127, 4}, {255, 256, 6}})
    EXPECT_EQ(to_float(w[row * k + column]), value) << row << ", " << column;
}

TEST(PackQpn8, PlacesByHand) {
  constexpr std::uint32_t n = 33, k = 32;
  std::vector<std::uint8_t> codes(n * k);
  std::vector<float> scales(n, 1);
  codes[0 * k + 0] = 1;    // tile 0, group 0, lane 0, place 0
  codes[0 * k + 1] = 2;    // place 4
  codes[0 * k + 14] = 3;   // second run's 6: place 8 + 3
  codes[4 * k + 16] = 4;   // column 4 is lane 16; group 1
  codes[31 * k + 31] = 5;  // column 31 = 24 + 3 + 4: lane 12 + 3 + 16; group 1, place 15
  codes[32 * k + 0] = 6;   // tile 1
  const Fp8View view{n, k, Fp8Scales::channel, codes, scales};
  const std::vector<std::uint8_t> packed = pack_qpn8_codes(view);
  ASSERT_EQ(packed.size(), 64U * k);
  EXPECT_EQ(packed[0], 1);
  EXPECT_EQ(packed[4], 2);
  EXPECT_EQ(packed[11], 3);
  EXPECT_EQ(packed[(32 + 16) * 16], 4);
  EXPECT_EQ(packed[(32 + 31) * 16 + 15], 5);
  EXPECT_EQ(packed[2 * 32 * 16], 6);
  const std::vector<Half> packed_scales = pack_qpn8_scales(view);
  ASSERT_EQ(packed_scales.size(), 64U);
  EXPECT_EQ(packed_scales[32], 0x5C00);  // 256
  EXPECT_EQ(packed_scales[33], 0);
}

TEST(PackQpn8, BlockScalesStandByK) {
  constexpr std::uint32_t n = 256, k = 256;
  const std::vector<std::uint8_t> codes(std::size_t{n} * k);
  const std::vector<float> scales = {1, 2, 4, 8};
  const std::vector<Half> packed = pack_qpn8_scales({n, k, Fp8Scales::block, codes, scales});
  EXPECT_THAT(packed, ElementsAre(0x5C00, 0x5C00, 0x5C00, 0x5C00, 0x6400, 0x6400, 0x6400, 0x6400,  //
                                  0x6000, 0x6000, 0x6000, 0x6000, 0x6800, 0x6800, 0x6800, 0x6800));
}

TEST(PackHead, IsAPermutation) {
  constexpr std::uint32_t n = 32, k = 64;
  std::vector<Half> head(n * k);
  for (std::size_t i = 0; i < head.size(); ++i) head[i] = static_cast<Half>(i);
  const std::vector<Half> packed = pack_head(head, n, k);
  EXPECT_EQ(std::set<Half>(packed.begin(), packed.end()).size(), head.size());
  EXPECT_EQ(packed[(2 * 32 + 16) * 16 + 5], 4 * k + 2 * 16 + 3);  // column 4, group 2, physical 5 is k 3
}

TEST(Fp8View, WrongShapesAreRefused) {
  const std::vector<std::uint8_t> codes(std::size_t{128} * 128);
  const std::vector<float> scales(128);
  EXPECT_THROW(decode_qpn8({128, 128, Fp8Scales::block, codes, scales}), std::invalid_argument);
  EXPECT_THROW(decode_qpn8({127, 128, Fp8Scales::channel, codes, scales}), std::invalid_argument);
  EXPECT_NO_THROW(decode_qpn8({128, 128, Fp8Scales::channel, codes, scales}));
}

}  // namespace
}  // namespace quadpair::reference
