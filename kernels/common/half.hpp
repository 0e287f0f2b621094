// FP16 numbers on the host, as bits.
#pragma once

#include <bit>
#include <cstdint>

namespace quadpair {

constexpr bool is_finite_half(std::uint16_t bits) {
  return (bits & 0x7C00) != 0x7C00;
}

/// Exact.
constexpr float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits & 0x8000u} << 16;
  const std::uint32_t magnitude = bits & 0x7FFFu;
  if (magnitude < 0x400)  // zero or subnormal: magnitude . 2^-24
    return std::bit_cast<float>(sign |
                                std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * 0x1p-24f));
  const std::uint32_t exponent = magnitude >= 0x7C00 ? 0x7F800000u - (0x7C00u << 13) : (127u - 15u) << 23;
  return std::bit_cast<float>(sign | ((magnitude << 13) + exponent));
}

/// h(x): nearest, ties to even, overflow to infinity, NaN to 0x7FFF.
constexpr std::uint16_t float_to_half(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return 0x7FFF;
  if (magnitude >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7C00u);  // 65536 and above
  std::uint32_t dropped = 13, significand = magnitude - ((127u - 15u) << 23);
  if (magnitude < 0x38800000u) {  // below 2^-14: FP16 subnormal, a multiple of 2^-24
    const std::uint32_t exponent = magnitude >> 23;
    if (exponent < 102) return static_cast<std::uint16_t>(sign);  // below 2^-25
    dropped = 126 - exponent;
    significand = (magnitude & 0x7FFFFFu) | 0x800000u;
  }
  const std::uint32_t kept = significand >> dropped, rest = significand & ((1u << dropped) - 1);
  const std::uint32_t half_way = 1u << (dropped - 1);
  const std::uint32_t up = rest > half_way || (rest == half_way && (kept & 1) != 0) ? 1 : 0;
  return static_cast<std::uint16_t>(sign | (kept + up));  // a carry moves into the exponent, up to infinity
}

/// One FP16 multiply: the product of two FP16 numbers is exact in FP32.
constexpr std::uint16_t mul_half(std::uint16_t a, std::uint16_t b) {
  return float_to_half(half_to_float(a) * half_to_float(b));
}

}  // namespace quadpair
