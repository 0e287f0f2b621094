// The host's FP16 arithmetic against the compiler's own _Float16.
#include "kernels/common/half.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace quadpair {
namespace {

std::uint16_t by_compiler(float x) {
  return std::bit_cast<std::uint16_t>(static_cast<_Float16>(x));
}

TEST(Half, EveryHalfToFloatAndBack) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float expected = static_cast<float>(std::bit_cast<_Float16>(half));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(half_to_float(half)));
      EXPECT_EQ(float_to_half(expected), 0x7FFF);
      continue;
    }
    ASSERT_EQ(std::bit_cast<std::uint32_t>(half_to_float(half)), std::bit_cast<std::uint32_t>(expected))
        << bits;
    ASSERT_EQ(float_to_half(expected), half);
  }
}

TEST(Half, RoundsToNearestEven) {
  // Every FP16 number, the midpoint to the next one, and the floats next to both, of either sign.
  for (std::uint32_t bits = 0; bits < 0x7C00; ++bits) {
    const float low = half_to_float(static_cast<std::uint16_t>(bits));
    const float high = bits + 1 == 0x7C00 ? 65536.0f : half_to_float(static_cast<std::uint16_t>(bits + 1));
    const float middle = (low + high) / 2;
    for (float x : {low, middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e9f)}) {
      ASSERT_EQ(float_to_half(x), by_compiler(x)) << x;
      ASSERT_EQ(float_to_half(-x), by_compiler(-x)) << x;
    }
  }
}

TEST(Half, AnyFloat) {
  std::mt19937 random(1);
  for (int i = 0; i < 1'000'000; ++i) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isnan(x)) continue;
    ASSERT_EQ(float_to_half(x), by_compiler(x)) << x;
  }
}

TEST(Half, ProductsRoundOnce) {
  std::mt19937 random(2);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto a = static_cast<std::uint16_t>(random() & 0x7FFF),
               b = static_cast<std::uint16_t>(random() & 0x7FFF);
    if (!is_finite_half(a) || !is_finite_half(b)) continue;
    const double exact = static_cast<double>(half_to_float(a)) * static_cast<double>(half_to_float(b));
    ASSERT_EQ(mul_half(a, b), std::bit_cast<std::uint16_t>(static_cast<_Float16>(exact))) << a << " " << b;
  }
}

}  // namespace
}  // namespace quadpair
