#include "reference/formats/fp16.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tests/reference/formats/nearest_code.hpp"

namespace quadpair::reference {
namespace {

using test::NearestCode;

/// FP16 with infinity as the code after 65504, where the next power of two would be.
const NearestCode& half_codes() {
  static const NearestCode codes(test::code_values(0x7C01, 10, -14));
  return codes;
}

Half expected_half(double x) {
  if (std::isnan(x)) return 0x7FFF;
  return static_cast<Half>(half_codes()(std::fabs(x)) | (std::signbit(x) ? 0x8000 : 0));
}

TEST(Fp16, AllValuesHaveTheirDefinedFloat) {
  for (std::uint32_t h = 0; h < 0x7C00; ++h) {
    const double value = half_codes().values()[h];
    EXPECT_EQ(to_float(static_cast<Half>(h)), value) << h;
    EXPECT_EQ(to_float(static_cast<Half>(h | 0x8000)), -value) << h;
  }
  EXPECT_FALSE(std::signbit(to_float(0x0000)));
  EXPECT_TRUE(std::signbit(to_float(0x8000)));
  EXPECT_EQ(to_float(0x7C00), std::numeric_limits<float>::infinity());
  EXPECT_EQ(to_float(0xFC00), -std::numeric_limits<float>::infinity());
  for (std::uint32_t h = 0x7C01; h <= 0x7FFF; ++h) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(to_float(static_cast<Half>(h))), 0x7FFFFFFFu);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(to_float(static_cast<Half>(h | 0x8000))), 0x7FFFFFFFu);
  }
}

TEST(Fp16, AllValuesRoundTrip) {
  for (std::uint32_t h = 0; h < 65536; ++h) {
    const auto half = static_cast<Half>(h);
    const Half expected = (h & 0x7FFF) > 0x7C00 ? half_nan : half;
    EXPECT_EQ(to_half(to_float(half)), expected);
    EXPECT_EQ(to_half(static_cast<double>(to_float(half))), expected);
  }
}

// Rounding is a step function: its value on both sides of every midpoint, and on it, determines it.
TEST(Fp16, EveryMidpointAndItsNeighbours) {
  const auto& midpoints = half_codes().midpoints();
  for (std::size_t code = 0; code < midpoints.size(); ++code) {
    const double middle = midpoints[code];
    const auto lower = static_cast<Half>(code), upper = static_cast<Half>(code + 1);
    const Half even = code % 2 == 0 ? lower : upper;
    const auto single = static_cast<float>(middle);
    ASSERT_EQ(single, middle);
    for (const Half sign : {0x0000, 0x8000}) {
      const float s = sign != 0 ? -1.0f : 1.0f;
      EXPECT_EQ(to_half(s * single), even | sign);
      EXPECT_EQ(to_half(s * std::nextafter(single, 0.0f)), lower | sign);
      EXPECT_EQ(to_half(s * std::nextafter(single, 1e9f)), upper | sign);
      EXPECT_EQ(to_half(s * middle), even | sign);
      EXPECT_EQ(to_half(s * std::nextafter(middle, 0.0)), lower | sign);
      EXPECT_EQ(to_half(s * std::nextafter(middle, 1e9)), upper | sign);
    }
  }
}

TEST(Fp16, FloatsOfAllExponents) {
  constexpr std::uint64_t stride = 251;  // a prime: all exponents, and fractions of every kind
  for (std::uint64_t bits = 0; bits <= 0xFFFFFFFFu; bits += stride) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    ASSERT_EQ(to_half(x), expected_half(x)) << std::hex << bits;
  }
}

TEST(Fp16, DoublesAreRoundedOnce) {
  const double tie = 1.0 + 0x1p-11;  // halfway between 1 and the next
  EXPECT_EQ(to_half(tie), 0x3C00);
  EXPECT_EQ(to_half(tie + 0x1p-52), 0x3C01);  // as a float this would be the tie
  EXPECT_EQ(to_half(0x1p-25 + 0x1p-70), 0x0001);
  EXPECT_EQ(to_half(0x1p-25), 0x0000);
  EXPECT_EQ(to_half(65519.999999999), 0x7BFF);
  EXPECT_EQ(to_half(65520.0), 0x7C00);
}

TEST(Fp16, ExtremesOfWiderFormats) {
  EXPECT_EQ(to_half(std::numeric_limits<float>::max()), 0x7C00);
  EXPECT_EQ(to_half(-std::numeric_limits<double>::max()), 0xFC00);
  EXPECT_EQ(to_half(-std::numeric_limits<float>::infinity()), 0xFC00);
  EXPECT_EQ(to_half(std::numeric_limits<float>::denorm_min()), 0x0000);
  EXPECT_EQ(to_half(-std::numeric_limits<double>::denorm_min()), 0x8000);
  EXPECT_EQ(to_half(-std::numeric_limits<float>::quiet_NaN()), 0x7FFF);
  EXPECT_EQ(to_half(std::bit_cast<float>(0xFF800001u)), 0x7FFF);
}

// A product of two FP16 numbers is exact in a double, so its nearest code is the answer.
TEST(Fp16, ProductsOfAllValuesWithChosenOnes) {
  const Half chosen[] = {0x0000, 0x8000, 0x0001, 0x83FF, 0x0400, 0x1001, 0x3555, 0x3BFF,
                         0x3C00, 0xBC01, 0x3E00, 0x4400, 0x5A5A, 0x7BFF, 0x7C00, 0xFC00};
  for (const Half b : chosen) {
    for (std::uint32_t h = 0; h < 65536; ++h) {
      const auto a = static_cast<Half>(h);
      const double product = static_cast<double>(to_float(a)) * static_cast<double>(to_float(b));
      ASSERT_EQ(mul(a, b), expected_half(product)) << std::hex << h << " " << b;
      ASSERT_EQ(mul(b, a), expected_half(product));
    }
  }
}

TEST(Fp16, ProductsWithNaN) {
  EXPECT_EQ(mul(0x7C00, 0x0000), 0x7FFF);
  EXPECT_EQ(mul(0x8000, 0xFC00), 0x7FFF);
  EXPECT_EQ(mul(0xFE01, 0x3C00), 0x7FFF);
}

}  // namespace
}  // namespace quadpair::reference
