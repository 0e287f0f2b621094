// Formats and layouts worked out by hand, for comparison with the reference.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "reference/formats/fp16.hpp"

namespace quadpair::reference::test {

inline constexpr double e2m1[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

/// The bits of h(x), from integers: x is a dyadic rational that a double holds exactly.
inline Half rounded_half(double x) {
  const Half sign = std::signbit(x) ? 0x8000 : 0;
  const double magnitude = std::fabs(x);
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), -14);
  const double units = std::ldexp(magnitude, 10 - exponent);  // of the last place, exact
  double whole = std::floor(units);
  if (units - whole > 0.5 || (units - whole == 0.5 && std::fmod(whole, 2) == 1)) whole += 1;
  const int bits = static_cast<int>(whole) + ((exponent + 14) << 10);  // a carry moves into the exponent
  return static_cast<Half>(sign | std::min(bits, 0x7C00));
}

inline double half_value(Half h) {
  const int exponent = (h >> 10) & 31;
  const double magnitude = std::ldexp((exponent != 0 ? 1024 : 0) + (h & 1023), std::max(exponent, 1) - 25);
  return (h & 0x8000) != 0 ? -magnitude : magnitude;
}

inline double e4m3(int byte) {
  const int exponent = byte >> 3, mantissa = byte & 7;
  return exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, exponent - 10);
}

inline constexpr int logical_of_physical[8] = {0, 2, 4, 6, 1, 3, 5, 7};

/// Logical row of a padded one, or -1.
inline int logical_row(int padded, int n, int halves) {
  const int half = n / halves, padded_half = (half + 31) / 32 * 32;
  return padded % padded_half < half ? padded / padded_half * half + padded % padded_half : -1;
}

}  // namespace quadpair::reference::test
