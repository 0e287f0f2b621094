// Rounding to a small floating-point format, in integers: shared by the formats of this folder.
#pragma once

#include <bit>
#include <cstdint>

namespace quadpair::reference {

/// The code (exponent and fraction field, no sign) of |x| rounded to nearest, ties to even, in a format
/// with `fraction_bits` and subnormals below 2^min_exponent. The format is taken as unbounded above: the
/// caller turns codes past its largest one into infinity or a clamp. x is finite.
constexpr std::uint64_t round_to_code(double x, int fraction_bits, int min_exponent) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) & ~(std::uint64_t{1} << 63);
  const int field = static_cast<int>(bits >> 52);
  const std::uint64_t significand =
      (bits & ((std::uint64_t{1} << 52) - 1)) | (field == 0 ? 0 : std::uint64_t{1} << 52);
  const int exponent = (field == 0 ? 1 : field) - 1023;
  const int unit = (exponent < min_exponent ? min_exponent : exponent) - fraction_bits;
  const int dropped = unit - (exponent - 52);
  if (dropped > 53) return 0;  // below half of the smallest subnormal
  std::uint64_t rounded = significand >> dropped;
  const std::uint64_t rest = significand - (rounded << dropped);
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  if (rest > half || (rest == half && (rounded & 1) != 0)) ++rounded;
  // The hidden bit, and a carry out of the fraction, both count up the exponent field.
  return (static_cast<std::uint64_t>(unit + fraction_bits - min_exponent) << fraction_bits) + rounded;
}

}  // namespace quadpair::reference
