#include "reference/formats/fp16.hpp"

#include <bit>
#include <cmath>

#include "reference/formats/rounding.hpp"

namespace quadpair::reference {

float to_float(Half h) {
  const std::uint32_t sign = (h & 0x8000u) << 16;
  const std::uint32_t exponent = (h >> 10) & 31u;
  const std::uint32_t fraction = h & 1023u;
  if (exponent == 31) {
    return std::bit_cast<float>(fraction != 0 ? float_nan : sign | 0x7F800000u);
  }
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

Half to_half(float x) {
  return to_half(static_cast<double>(x));
}

Half to_half(double x) {
  if (std::isnan(x)) return half_nan;
  const Half sign = std::signbit(x) ? 0x8000 : 0;
  if (std::fabs(x) >= 65536.0) return sign | 0x7C00;
  return static_cast<Half>(sign | round_to_code(x, 10, -14));  // a carry past 65504 is infinity's code
}

Half mul(Half a, Half b) {
  return to_half(to_float(a) * to_float(b));  // the FP32 product is exact: 22 bits, exponent -48 to 31
}

}  // namespace quadpair::reference
