// Rounding by comparison with midpoints: an expectation that shares nothing with the code under test.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace quadpair::test {

/// The codes of a format's non-negative values, ascending from 0: code i has the value values[i].
class NearestCode {
 public:
  explicit NearestCode(std::vector<double> values) : values_(std::move(values)) {
    for (std::size_t i = 0; i + 1 < values_.size(); ++i) {
      midpoints_.push_back((values_[i] + values_[i + 1]) / 2);  // exact: few significant bits
    }
  }

  /// The code nearest to magnitude >= 0; a tie goes to the even code, and what lies past the last midpoint
  /// to the last code.
  std::size_t operator()(double magnitude) const {
    const auto above = std::lower_bound(midpoints_.begin(), midpoints_.end(), magnitude);
    const auto code = static_cast<std::size_t>(above - midpoints_.begin());
    const bool tie = above != midpoints_.end() && *above == magnitude;
    return tie && code % 2 == 1 ? code + 1 : code;
  }

  const std::vector<double>& values() const { return values_; }
  const std::vector<double>& midpoints() const { return midpoints_; }

 private:
  std::vector<double> values_, midpoints_;
};

/// The values of codes 0..count-1 of a format with subnormals: exponent field, then `fraction_bits`, whose
/// value is fraction . 2^(min_exponent - fraction_bits) below the first normal number, 2^min_exponent.
inline std::vector<double> code_values(int count, int fraction_bits, int min_exponent) {
  std::vector<double> values;
  for (int code = 0; code < count; ++code) {
    const int field = code / (1 << fraction_bits);
    const int fraction = code % (1 << fraction_bits);
    const int significand = field == 0 ? fraction : fraction + (1 << fraction_bits);
    values.push_back(std::ldexp(significand, std::max(field, 1) - 1 + min_exponent - fraction_bits));
  }
  return values;
}

}  // namespace quadpair::test
