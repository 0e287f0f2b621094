#include "tests/device/opcodes/float_reference.hpp"

#include <cmath>

namespace quadpair::device {

std::uint64_t FloatFormat::infinity() const {
  const int fraction = significand - 1;
  return (sign() - 1) >> fraction << fraction;
}

double value_of(const FloatFormat& format, std::uint64_t bits) {
  const int fraction_bits = format.significand - 1;
  const std::uint64_t magnitude = bits & (format.sign() - 1);
  if (format.is_nan(bits)) return std::nan("");
  double value = HUGE_VAL;
  if (magnitude < format.infinity()) {
    const auto exponent = static_cast<int>(magnitude >> fraction_bits);
    const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << fraction_bits) - 1);
    const std::uint64_t whole = exponent == 0 ? fraction : fraction | std::uint64_t{1} << fraction_bits;
    // The least exponent of MPFR's is that of the least subnormal, 1/2 * 2^lowest.
    value = std::ldexp(static_cast<double>(whole),
                       static_cast<int>(format.lowest) - 1 + std::max(exponent - 1, 0));
  }
  return bits & format.sign() ? -value : value;
}

std::uint64_t exact_bits(const FloatFormat& format, double value) {
  if (std::isnan(value)) return format.nan();
  const std::uint64_t sign = std::signbit(value) ? format.sign() : 0;
  const double magnitude = std::fabs(value);
  if (std::isinf(value)) return sign | format.infinity();
  if (magnitude == 0) return sign;
  const int fraction_bits = format.significand - 1;
  const int least = static_cast<int>(format.lowest) - 1;  // exponent of the least subnormal
  const int exponent = std::max(std::ilogb(magnitude) - fraction_bits - least, 0);
  const auto whole = static_cast<std::uint64_t>(std::ldexp(magnitude, -(least + exponent)));
  return sign | ((static_cast<std::uint64_t>(exponent) << fraction_bits) + whole);
}

std::uint64_t rounded(const FloatFormat& format, mpfr_rnd_t rounding,
                      const std::function<int(mpfr_ptr, mpfr_rnd_t)>& compute) {
  const mpfr_exp_t old_lowest = mpfr_get_emin(), old_highest = mpfr_get_emax();
  mpfr_t result;
  mpfr_init2(result, format.significand);
  mpfr_set_emin(format.lowest);
  mpfr_set_emax(format.highest);
  const int ternary = compute(result, rounding);
  mpfr_subnormalize(result, mpfr_check_range(result, ternary, rounding), rounding);
  mpfr_set_emin(old_lowest);
  mpfr_set_emax(old_highest);
  const double value = mpfr_get_d(result, MPFR_RNDN);  // exact: a double holds every half and single
  mpfr_clear(result);
  return exact_bits(format, value);
}

Number::Number(const FloatFormat& format, std::uint64_t bits) {
  mpfr_init2(value_, 53);
  mpfr_set_d(value_, value_of(format, bits), MPFR_RNDN);
}

Number::Number(std::uint64_t integer) {
  mpfr_init2(value_, 64);
  mpfr_set_ui(value_, integer, MPFR_RNDN);
}

Number::Number(std::int64_t integer) {
  mpfr_init2(value_, 64);
  mpfr_set_si(value_, integer, MPFR_RNDN);
}

std::vector<std::uint64_t> float_edges(const FloatFormat& format) {
  const int fraction = format.significand - 1;
  const std::uint64_t unit = std::uint64_t{1} << fraction, one = (format.infinity() / unit / 2) * unit;
  std::vector<std::uint64_t> edges = {0,
                                      1,
                                      2,
                                      unit / 2,
                                      unit - 1,
                                      unit,
                                      unit + 1,
                                      one - 1,
                                      one,
                                      one + 1,
                                      one + unit / 2,
                                      one + unit,
                                      one + 3 * unit - 1,
                                      one / 2,
                                      one / 2 + 1,
                                      one + one / 2,
                                      format.infinity() - unit,
                                      format.infinity() - 1,
                                      format.infinity(),
                                      format.infinity() + 1,
                                      format.infinity() + unit / 2,
                                      format.nan()};
  const std::size_t positive = edges.size();
  for (std::size_t i = 0; i < positive; ++i) edges.push_back(edges[i] | format.sign());
  return edges;
}

}  // namespace quadpair::device
