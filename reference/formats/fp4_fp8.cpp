#include "reference/formats/fp4_fp8.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "reference/formats/fp16.hpp"
#include "reference/formats/rounding.hpp"

namespace quadpair::reference {
namespace {

constexpr float e2m1_magnitudes[8] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f};

constexpr std::array<float, 128> e4m3_magnitudes() {
  std::array<float, 128> values{};
  for (int code = 0; code < 127; ++code) {
    const int exponent = code >> 3;
    float value = static_cast<float>(exponent == 0 ? code : 8 + (code & 7)) * 0x1p-9f;
    for (int i = 1; i < exponent; ++i) value *= 2.0f;
    values[code] = value;
  }
  values[127] = std::bit_cast<float>(float_nan);
  return values;
}

constexpr std::array<float, 128> e4m3_table = e4m3_magnitudes();

}  // namespace

float e2m1_value(std::uint8_t code) {
  const float magnitude = e2m1_magnitudes[code & 7];
  return (code & 8) != 0 ? -magnitude : magnitude;
}

float e4m3_value(std::uint8_t byte) {
  const float magnitude = e4m3_table[byte & 127];
  return (byte & 128) != 0 && byte != 0xFF ? -magnitude : magnitude;
}

std::uint8_t to_e4m3(float x) {
  if (std::isnan(x)) return 0x7F;
  const int sign = std::signbit(x) ? 0x80 : 0;
  if (std::fabs(x) >= 448.0f) return static_cast<std::uint8_t>(sign | 0x7E);
  return static_cast<std::uint8_t>(sign | static_cast<int>(round_to_code(x, 3, -6)));
}

std::uint8_t to_e2m1(float x) {
  if (std::isnan(x)) throw std::invalid_argument("to_e2m1: E2M1 has no NaN");
  const int sign = std::signbit(x) ? 8 : 0;
  if (std::fabs(x) >= 6.0f) return static_cast<std::uint8_t>(sign | 7);
  return static_cast<std::uint8_t>(sign | static_cast<int>(round_to_code(x, 1, 0)));
}

}  // namespace quadpair::reference
