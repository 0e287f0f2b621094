#include "reference/tensor_core/model.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>

#include "reference/formats/fp16.hpp"

namespace quadpair::reference {
namespace {

constexpr std::size_t max_terms = 17;  // 16 products and c

/// value = significand . 2^unit; `exponent` is the one that the hardware aligns by.
struct Term {
  std::int64_t significand;
  int unit;
  int exponent;
};

/// The terms of one step: finite nonzero ones in a list, the others as flags.
class Terms {
 public:
  void add_product(std::uint16_t a, std::uint16_t b) {
    const bool negative = ((a ^ b) & 0x8000) != 0;
    const int a_exponent = (a >> 10) & 31, b_exponent = (b >> 10) & 31;
    const std::int64_t a_fraction = a & 1023, b_fraction = b & 1023;
    if (a_exponent == 31 || b_exponent == 31) {
      const bool zero = (a & 0x7FFF) == 0 || (b & 0x7FFF) == 0;
      const bool operand_nan = (a_exponent == 31 && a_fraction != 0) || (b_exponent == 31 && b_fraction != 0);
      add_special(operand_nan || zero, negative);
      return;
    }
    const std::int64_t product =
        (a_fraction | (a_exponent != 0 ? 1024 : 0)) * (b_fraction | (b_exponent != 0 ? 1024 : 0));
    const int exponent = std::max(a_exponent, 1) + std::max(b_exponent, 1) - 30;
    add_finite(negative ? -product : product, exponent - 20, exponent);
  }

  void add_fp32(std::uint32_t c) {
    const bool negative = (c >> 31) != 0;
    const int field = static_cast<int>((c >> 23) & 255);
    const std::int64_t fraction = c & 0x7FFFFF;
    if (field == 255) {
      add_special(fraction != 0, negative);
      return;
    }
    const std::int64_t significand = fraction | (field != 0 ? 1 << 23 : 0);
    const int exponent = std::max(field, 1) - 127;
    add_finite(negative ? -significand : significand, exponent - 23, exponent);
  }

  bool nan() const { return nan_ || (positive_infinity_ && negative_infinity_); }
  bool infinite() const { return positive_infinity_ || negative_infinity_; }
  bool negative_infinity() const { return negative_infinity_; }
  std::span<const Term> finite() const { return std::span(terms_).first(count_); }

 private:
  void add_special(bool nan, bool negative) {
    nan_ |= nan;
    positive_infinity_ |= !nan && !negative;
    negative_infinity_ |= !nan && negative;
  }
  void add_finite(std::int64_t significand, int unit, int exponent) {
    if (significand != 0) terms_[count_++] = {significand, unit, exponent};
  }

  std::array<Term, max_terms> terms_;
  std::size_t count_ = 0;
  bool nan_ = false, positive_infinity_ = false, negative_infinity_ = false;
};

/// magnitude . 2^shift, truncated toward zero.
std::uint64_t shifted(std::uint64_t magnitude, int shift) {
  if (shift >= 0) return magnitude << shift;
  return shift > -64 ? magnitude >> -shift : 0;
}

/// sum . 2^unit truncated toward zero to FP32, subnormals kept. Zero is +0.
std::uint32_t truncated_to_fp32(std::int64_t sum, int unit) {
  const auto magnitude = static_cast<std::uint64_t>(std::abs(sum));
  const int exponent = static_cast<int>(std::bit_width(magnitude)) - 1 + unit;
  const int result_unit = std::max(exponent, -126) - 23;
  const auto significand = static_cast<std::uint32_t>(shifted(magnitude, unit - result_unit));
  if (significand == 0) return 0;
  // The hidden bit of a normal number counts up the exponent field.
  const std::uint32_t field = static_cast<std::uint32_t>(result_unit + 149) << 23;
  return (field + significand) | (sum < 0 ? 0x80000000u : 0);
}

std::uint32_t fma_lowered(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
                          std::uint32_t c) {
  float sum = 0.0f;  // from +0: an H200 gives +0 where all products and c are -0
  for (std::size_t i = 0; i < 4; ++i) sum = std::fma(to_float(a[i]), to_float(b[i]), sum);
  const float d = std::bit_cast<float>(c) + sum;
  return std::isnan(d) ? float_nan : std::bit_cast<std::uint32_t>(d);
}

[[noreturn]] void throw_width(Model model, std::size_t width) {
  throw std::invalid_argument("tensor-core model " + std::string(to_string(model)) + " has no step of " +
                              std::to_string(width) + " products");
}

}  // namespace

std::string_view to_string(Model model) {
  switch (model) {
    case Model::volta: return "volta";
    case Model::turing: return "turing";
    case Model::ampere: return "ampere";
    case Model::hopper: return "hopper";
    case Model::fma_lowered: return "fma-lowered";
  }
  throw std::invalid_argument("not a tensor-core model");
}

std::optional<Model> model_from_string(std::string_view name) {
  for (Model model : all_models) {
    if (name == to_string(model)) return model;
  }
  return std::nullopt;
}

bool defines(Model model, MmaShape shape) {
  const bool native16 = model == Model::ampere || model == Model::hopper;
  switch (shape) {
    case MmaShape::m8n8k4: return !native16;
    case MmaShape::m16n8k8: return native16 || model == Model::turing;
    case MmaShape::m16n8k16: return native16;
  }
  return false;
}

std::optional<Model> arithmetic_on(Model gpu, MmaShape shape) {
  if (defines(gpu, shape)) return gpu;
  if (shape == MmaShape::m8n8k4) return Model::fma_lowered;
  return std::nullopt;
}

std::uint32_t truncating_sum(int f, std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
                             std::uint32_t c) {
  if (a.size() != b.size() || a.size() >= max_terms) {
    throw std::invalid_argument("truncating_sum: at most 16 products of operands of equal length");
  }
  Terms terms;
  for (std::size_t i = 0; i < a.size(); ++i) terms.add_product(a[i], b[i]);
  terms.add_fp32(c);
  if (terms.nan()) return float_nan;
  if (terms.infinite()) return terms.negative_infinity() ? 0xFF800000u : 0x7F800000u;

  int largest = std::numeric_limits<int>::min();
  for (const Term& term : terms.finite()) largest = std::max(largest, term.exponent);
  // A term is below 2^(largest+2), hence below 2^(f+2) units: 17 of them fit 64 bits with room to spare.
  std::int64_t sum = 0;
  for (const Term& term : terms.finite()) {
    const auto magnitude = static_cast<std::uint64_t>(std::abs(term.significand));
    const auto truncated = static_cast<std::int64_t>(shifted(magnitude, term.unit - (largest - f)));
    sum += term.significand < 0 ? -truncated : truncated;
  }
  return sum == 0 ? 0 : truncated_to_fp32(sum, largest - f);
}

std::uint32_t fused_sum(Model model, std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
                        std::uint32_t c) {
  if (a.size() != b.size()) throw std::invalid_argument("fused_sum: operands of unequal length");
  const std::size_t width = a.size();
  switch (model) {
    case Model::volta:
      if (width == 4) return truncating_sum(23, a, b, c);
      break;
    case Model::turing:
      if (width == 4) return truncating_sum(23, a, b, c);
      if (width == 8) return truncating_sum(24, a, b, c);
      break;
    case Model::ampere:
      if (width == 8) return truncating_sum(24, a, b, c);
      if (width == 16) {
        const std::uint32_t first = truncating_sum(24, a.first(8), b.first(8), c);
        return truncating_sum(24, a.last(8), b.last(8), first);
      }
      break;
    case Model::hopper:
      if (width == 8 || width == 16) return truncating_sum(25, a, b, c);
      break;
    case Model::fma_lowered:
      if (width == 4) return fma_lowered(a, b, c);
      break;
  }
  throw_width(model, width);
}

}  // namespace quadpair::reference
