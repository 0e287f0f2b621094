// Floating-point results by MPFR: exact inputs, one rounding.
#pragma once

#include <mpfr.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace quadpair::device {

/// A binary format with subnormals. Exponents as MPFR has them: of significands in [1/2, 1).
struct FloatFormat {
  unsigned width;  ///< bits
  int significand;
  mpfr_exp_t lowest, highest;

  std::uint64_t sign() const { return std::uint64_t{1} << (width - 1); }
  std::uint64_t infinity() const;
  std::uint64_t nan() const { return sign() - 1; }  ///< as NVIDIA GPUs give it: all ones, positive
  bool is_nan(std::uint64_t bits) const { return (bits & (sign() - 1)) > infinity(); }
};

inline constexpr FloatFormat half_format{16, 11, -23, 16};
inline constexpr FloatFormat single_format{32, 24, -148, 128};

/// The value of a half or a single, exact in a double.
double value_of(const FloatFormat& format, std::uint64_t bits);

/// The bits of a value that the format holds exactly.
std::uint64_t exact_bits(const FloatFormat& format, double value);

/// What an operation gives: `compute` writes its first argument, with the precision and the rounding it is
/// given, and returns MPFR's ternary value. NaN results are format.nan().
std::uint64_t rounded(const FloatFormat& format, mpfr_rnd_t rounding,
                      const std::function<int(mpfr_ptr, mpfr_rnd_t)>& compute);

/// A number for MPFR functions, exact.
class Number {
 public:
  Number(const FloatFormat& format, std::uint64_t bits);
  explicit Number(std::uint64_t integer);
  explicit Number(std::int64_t integer);
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(value_); }
  operator mpfr_srcptr() const { return value_; }

 private:
  mpfr_t value_;
};

/// Signed zeros, ends of subnormals and normals, ones and their neighbours, halfway values, infinities, NaNs.
std::vector<std::uint64_t> float_edges(const FloatFormat& format);

}  // namespace quadpair::device
