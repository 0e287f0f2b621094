// IEEE 754 binary16 on the CPU, by definition.
#pragma once

#include <cstdint>

namespace quadpair::reference {

/// An FP16 number by its bits.
using Half = std::uint16_t;

inline constexpr Half half_nan = 0x7FFF;  ///< the only NaN that results ever hold
inline constexpr std::uint32_t float_nan = 0x7FFFFFFF;

/// Neither infinite nor NaN.
constexpr bool is_finite(Half h) {
  return (h & 0x7C00) != 0x7C00;
}

/// The value of an FP16 number (exact). A NaN gives the FP32 NaN 0x7FFFFFFF.
float to_float(Half h);

/// h(x): nearest, ties to even, subnormals kept, overflow to infinity; NaN gives 0x7FFF.
Half to_half(float x);
Half to_half(double x);  ///< one rounding, from the double

/// One FP16 multiply: h(a . b), NaN gives 0x7FFF.
Half mul(Half a, Half b);

}  // namespace quadpair::reference
