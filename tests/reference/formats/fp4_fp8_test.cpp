#include "reference/formats/fp4_fp8.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "tests/reference/formats/nearest_code.hpp"

namespace quadpair::reference {
namespace {

using test::NearestCode;

const NearestCode& e4m3_codes() {
  static const NearestCode codes(test::code_values(0x7F, 3, -6));
  return codes;
}

const NearestCode& e2m1_codes() {
  static const NearestCode codes({0, 0.5, 1, 1.5, 2, 3, 4, 6});
  return codes;
}

TEST(E2m1, AllCodes) {
  for (std::uint8_t code = 0; code < 8; ++code) {
    EXPECT_EQ(e2m1_value(code), e2m1_codes().values()[code]);
    EXPECT_EQ(e2m1_value(code | 8), -e2m1_codes().values()[code]);
    EXPECT_EQ(to_e2m1(e2m1_value(code)), code);
    EXPECT_EQ(to_e2m1(e2m1_value(code | 8)), code | 8);
  }
  EXPECT_TRUE(std::signbit(e2m1_value(8)));
}

TEST(E4m3, AllBytes) {
  for (int byte = 0; byte < 0x7F; ++byte) {
    const double value = e4m3_codes().values()[byte];
    EXPECT_EQ(e4m3_value(static_cast<std::uint8_t>(byte)), value);
    EXPECT_EQ(e4m3_value(static_cast<std::uint8_t>(byte | 0x80)), -value);
    EXPECT_EQ(to_e4m3(static_cast<float>(value)), byte);
    EXPECT_EQ(to_e4m3(-static_cast<float>(value)), byte | 0x80);
  }
  EXPECT_EQ(e4m3_value(0x7E), 448.0f);
  EXPECT_EQ(e4m3_value(0x01), 0x1p-9f);
  EXPECT_TRUE(std::signbit(e4m3_value(0x80)));
  EXPECT_EQ(std::bit_cast<std::uint32_t>(e4m3_value(0x7F)), 0x7FFFFFFFu);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(e4m3_value(0xFF)), 0x7FFFFFFFu);
}

template <class Round>
void expect_ties_to_even(const NearestCode& codes, Round round, int sign_bit) {
  const auto& midpoints = codes.midpoints();
  for (std::size_t code = 0; code < midpoints.size(); ++code) {
    const auto middle = static_cast<float>(midpoints[code]);
    const std::size_t even = code + code % 2;
    for (const int sign : {0, sign_bit}) {
      const float s = sign != 0 ? -1.0f : 1.0f;
      EXPECT_EQ(round(s * middle), even | sign);
      EXPECT_EQ(round(s * std::nextafter(middle, 0.0f)), code | sign);
      EXPECT_EQ(round(s * std::nextafter(middle, 1e9f)), (code + 1) | sign);
    }
  }
}

TEST(E4m3, EveryMidpointAndItsNeighbours) {
  expect_ties_to_even(e4m3_codes(), to_e4m3, 0x80);
}

TEST(E2m1, EveryMidpointAndItsNeighbours) {
  expect_ties_to_even(e2m1_codes(), to_e2m1, 8);
}

TEST(E4m3, FloatsOfAllExponents) {
  for (std::uint64_t bits = 0; bits < 0x7F800000u; bits += 1021) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const std::size_t e4m3 = e4m3_codes()(x), e2m1 = e2m1_codes()(x);
    ASSERT_EQ(to_e4m3(x), e4m3) << x;
    ASSERT_EQ(to_e4m3(-x), e4m3 | 0x80) << x;
    ASSERT_EQ(to_e2m1(x), e2m1) << x;
    ASSERT_EQ(to_e2m1(-x), e2m1 | 8) << x;
  }
}

TEST(E4m3, ClampsAndNaN) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(to_e4m3(464.0f), 0x7E);
  EXPECT_EQ(to_e4m3(infinity), 0x7E);
  EXPECT_EQ(to_e4m3(-infinity), 0xFE);
  EXPECT_EQ(to_e4m3(std::numeric_limits<float>::quiet_NaN()), 0x7F);
  EXPECT_EQ(to_e4m3(-std::numeric_limits<float>::quiet_NaN()), 0x7F);
}

TEST(E2m1, ClampsAndRefusesNaN) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(to_e2m1(7.5f), 7);
  EXPECT_EQ(to_e2m1(infinity), 7);
  EXPECT_EQ(to_e2m1(-infinity), 15);
  EXPECT_THROW(to_e2m1(std::numeric_limits<float>::quiet_NaN()), std::invalid_argument);
}

}  // namespace
}  // namespace quadpair::reference
