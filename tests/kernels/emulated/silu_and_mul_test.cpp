// silu_and_mul against FP64 for every gate, and its addressing.
#include "kernels/wide/silu_and_mul.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/emulated/emulated.hpp"

namespace quadpair::wide {
namespace {

using namespace emulated;

class SiluAndMul : public testing::TestWithParam<Target> {
 protected:
  std::unique_ptr<device::Device> device_ = emulator(GetParam());
};

TEST_P(SiluAndMul, EveryGate) {
  // 256 rows of 256 gates, then a gap, then as many ones.
  constexpr std::uint32_t m = 256, columns = 256, up = 300, ldx = 557, ldy = 259;
  std::vector<std::uint16_t> x(std::size_t{m} * ldx, 0x7E00);
  for (std::uint32_t gate = 0; gate < 0x10000; ++gate) {
    x[gate / 256 * ldx + gate % 256] = static_cast<std::uint16_t>(gate);
    x[gate / 256 * ldx + up + gate % 256] = 0x3C00;
  }
  const auto in = input(*device_, "x", x), out = output(*device_, "y", std::size_t{m} * ldy * 2);
  device_->run(silu_and_mul({m, columns, up, in->address(), ldx, out->address(), ldy}, GetParam()));
  const auto y = contents<std::uint16_t>(*out);
  std::uint32_t differ = 0;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const std::uint16_t actual = y[bits / 256 * ldy + bits % 256];
    const double gate = to_float(static_cast<std::uint16_t>(bits));
    const double exact = gate / (1 + std::exp(-gate));
    if (std::isnan(exact)) {
      ASSERT_EQ(actual, 0x7FFF) << bits;
      continue;
    }
    const std::uint16_t nearest = half(static_cast<float>(exact));
    differ += actual != nearest;
    // A unit in the last place at most, and that rarely: exp and the division are good to a few 2^-24.
    ASSERT_LE(std::abs(int{actual} - int{nearest}), 1) << bits;
  }
  EXPECT_LE(differ, 16u);
  for (std::uint32_t row = 0; row < m; ++row)
    for (std::uint32_t column = columns; column < ldy; ++column) ASSERT_EQ(y[row * ldy + column], 0xA5A5);
}

TEST_P(SiluAndMul, UpIsMultipliedInHalfPrecision) {
  std::mt19937 random(3);
  constexpr std::uint32_t columns = 300;
  std::vector<std::uint16_t> x(2 * columns, 0x4900);  // gates of 10
  const std::uint16_t silu = half(static_cast<float>(10 / (1 + std::exp(-10.0))));
  const auto ups = random_halves(columns, random);
  std::copy(ups.begin(), ups.end(), x.begin() + columns);
  const auto in = input(*device_, "x", x), out = output(*device_, "y", columns * 2);
  device_->run(
      silu_and_mul({1, columns, columns, in->address(), 2 * columns, out->address(), columns}, GetParam()));
  const auto y = contents<std::uint16_t>(*out);
  for (std::uint32_t i = 0; i < columns; ++i) ASSERT_EQ(y[i], half(to_float(silu) * to_float(ups[i])));
}

INSTANTIATE_TEST_SUITE_P(Targets, SiluAndMul, testing::ValuesIn(all_targets), target_name);

}  // namespace
}  // namespace quadpair::wide
