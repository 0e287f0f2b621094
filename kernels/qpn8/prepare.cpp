// What must be caught before FP8 weights reach the kernels, which decode by shifting bits.
#include <algorithm>
#include <cmath>
#include <string>

#include "kernels/common/check.hpp"
#include "kernels/common/half.hpp"
#include "kernels/common/text.hpp"
#include "kernels/qpn8/pack.hpp"

namespace quadpair::qpn8 {
namespace {

std::string shape(std::uint32_t rows, std::uint32_t columns) {
  std::string t = "[";
  t.append(std::to_string(rows)).append(", ").append(std::to_string(columns)).append("]");
  return t;
}

/// The magnitude of a code, times 2^-8.
float placed_magnitude(std::uint8_t code) {
  const int exponent = code >> 3, fraction = code & 7;
  return exponent == 0 ? std::ldexp(static_cast<float>(fraction), -17)
                       : std::ldexp(static_cast<float>(8 + fraction), exponent - 18);
}

/// Why a scale is not admitted over codes of which the largest magnitude is `largest`, or nothing.
std::string fault_of(float scale, std::uint8_t largest) {
  if (std::isnan(scale)) return "is NaN";
  if (std::isinf(scale)) return "is infinite";
  if (scale < 0) return "is negative";
  if (scale == 0) return "is zero";
  const std::uint16_t half = float_to_half(scale * 256.0f);
  if (!is_finite_half(half)) return "times 256 overflows FP16";
  if (half == 0) return "times 256 is 0 in FP16";
  if (!is_finite_half(float_to_half(placed_magnitude(largest) * half_to_float(half)))) {
    constexpr char digits[] = "0123456789ABCDEF";
    return std::string("takes code 0x") + digits[largest >> 4] + digits[largest & 15] + " beyond FP16";
  }
  return "";
}

bool legal_over_zeros(float scale) {
  return scale >= 0 && float_to_half(scale * 256.0f) < 0x7C00;  // false for NaN
}

}  // namespace

void prepare(std::string_view tensor, std::uint32_t n, std::uint32_t k, ScaleKind kind,
             std::span<const std::uint8_t> codes, std::span<const float> scales, std::uint32_t rows,
             std::uint32_t columns) {
  const std::string name = "tensor " + std::string(tensor);
  const bool channel = kind == ScaleKind::channel;
  require(n != 0, name + ": N=0: no rows");
  require(k != 0 && k % 64 == 0, name + ": K=" + std::to_string(k) + ": not a positive multiple of 64");
  require(channel || (n % scale_block == 0 && k % scale_block == 0),
          name + ": weights " + shape(n, k) + " do not divide into blocks of 128 x 128");
  const std::uint32_t block_rows = channel ? 1 : scale_block, block_k = channel ? k : scale_block;
  const std::string expected = shape(n / block_rows, k / block_k);
  require(rows == n / block_rows && columns == k / block_k,
          name + ": scales " + shape(rows, columns) + ", but weights " + shape(n, k) + " with a scale per " +
              (channel ? "channel" : "block of 128 x 128") + " need " + expected);
  require(scales.size() == std::size_t{rows} * columns,
          name + ": " + std::to_string(scales.size()) + " scales, not " + expected);
  require(codes.size() == std::size_t{n} * k,
          name + ": " + std::to_string(codes.size()) + " codes, not " + shape(n, k));

  for (std::size_t i = 0; i < codes.size(); ++i)
    if ((codes[i] & 0x7F) == 0x7F)
      throw RangeError(name + ", row " + std::to_string(i / k) + ", k " + std::to_string(i % k) + ": code " +
                       (codes[i] == 0x7F ? "0x7F" : "0xFF") + " is NaN");
  const auto largest_code = [&](std::uint32_t row, std::uint32_t column) {
    std::uint8_t largest = 0;  // magnitudes are ordered as their bits
    for (std::uint32_t r = row * block_rows; r < (row + 1) * block_rows; ++r)
      for (const std::uint8_t code :
           codes.subspan(std::size_t{r} * k + std::size_t{column} * block_k, block_k))
        largest = std::max<std::uint8_t>(largest, code & 0x7F);
    return largest;
  };
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t column = 0; column < columns; ++column) {
      const float scale = scales[std::size_t{row} * columns + column];
      const std::uint8_t largest = largest_code(row, column);
      const std::string fault = fault_of(scale, largest);
      if (fault.empty() || (largest == 0 && legal_over_zeros(scale))) continue;
      std::string where = name;
      where.append(channel ? ", row " : ", block ").append(std::to_string(row));
      if (!channel) where.append(", ").append(std::to_string(column));
      throw RangeError(where.append(": scale ").append(text(scale)).append(" ").append(fault));
    }
}

}  // namespace quadpair::qpn8
