// The models once more, in MPFR: real numbers of many bits, and rounding only where the definition has it.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace quadpair::test {

/// A real number of `precision` bits (1,000 hold every sum of FP16 products and FP32 numbers exactly).
class Real {
 public:
  explicit Real(double value = 0, mpfr_prec_t precision = 1000) {
    mpfr_init2(x_, precision);
    mpfr_set_d(x_, value, MPFR_RNDN);
  }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  ~Real() { mpfr_clear(x_); }
  mpfr_ptr get() { return x_; }

 private:
  mpfr_t x_;
};

/// An FP16 number as a double (exact), by its definition.
inline double half_value(std::uint16_t h) {
  const int field = (h >> 10) & 31, fraction = h & 1023;
  double magnitude = std::ldexp(field == 0 ? fraction : fraction + 1024, std::max(field, 1) - 25);
  if (field == 31) {
    magnitude =
        fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  return (h & 0x8000) != 0 ? -magnitude : magnitude;
}

inline std::uint32_t canonical_bits(float x) {
  return std::isnan(x) ? 0x7FFFFFFF : std::bit_cast<std::uint32_t>(x);
}

/// The step T(F; a_i . b_i, c).
inline std::uint32_t mpfr_truncating_sum(int f, std::span<const std::uint16_t> a,
                                         std::span<const std::uint16_t> b, std::uint32_t c_bits) {
  const double c = std::bit_cast<float>(c_bits);
  double plain = c;  // right wherever the sum is not finite: doubles do not overflow here
  int largest = std::numeric_limits<int>::min();
  if (c != 0 && std::isfinite(c)) largest = std::max(std::ilogb(c), -126);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = half_value(a[i]), y = half_value(b[i]);
    plain += x * y;
    if (std::isfinite(x * y) && x * y != 0) {
      largest = std::max(largest, std::max(std::ilogb(x), -14) + std::max(std::ilogb(y), -14));
    }
  }
  if (!std::isfinite(plain)) return canonical_bits(static_cast<float>(plain));

  Real sum, term;
  const auto add = [&](double value) {  // a value that a double holds exactly
    mpfr_set_d(term.get(), value, MPFR_RNDN);
    mpfr_mul_2si(term.get(), term.get(), f - largest, MPFR_RNDN);
    mpfr_trunc(term.get(), term.get());
    mpfr_add(sum.get(), sum.get(), term.get(), MPFR_RNDN);
  };
  if (c != 0) add(c);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double product = half_value(a[i]) * half_value(b[i]);
    if (product != 0) add(product);
  }
  if (mpfr_zero_p(sum.get())) return 0;
  mpfr_mul_2si(sum.get(), sum.get(), largest - f, MPFR_RNDN);
  const float d = mpfr_get_flt(sum.get(), MPFR_RNDZ);
  return d == 0 ? 0 : std::bit_cast<std::uint32_t>(d);
}

/// c + fma(a3,b3, fma(a2,b2, fma(a1,b1, fma(a0,b0, +0)))), every operation to 24 bits, nearest even. (None
/// but the last can be subnormal, and an addition whose result is subnormal is exact.)
inline std::uint32_t mpfr_fma_lowered(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
                                      std::uint32_t c_bits) {
  Real sum(0, 24), x, y, c(std::bit_cast<float>(c_bits), 24);
  for (std::size_t i = 0; i < 4; ++i) {
    mpfr_set_d(x.get(), half_value(a[i]), MPFR_RNDN);
    mpfr_set_d(y.get(), half_value(b[i]), MPFR_RNDN);
    mpfr_fma(sum.get(), x.get(), y.get(), sum.get(), MPFR_RNDN);
  }
  mpfr_add(sum.get(), c.get(), sum.get(), MPFR_RNDN);
  return canonical_bits(mpfr_get_flt(sum.get(), MPFR_RNDN));
}

}  // namespace quadpair::test
