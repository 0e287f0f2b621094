// What one comparison of a device's values with the expected ones gave.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quadpair::reports {

enum class Kind {
  bitwise,  ///< equal bits: signed zeros and NaN payloads count
  bound     ///< within a derived error of an FP64 value
};

struct Mismatch {
  std::uint64_t index = 0;                      ///< row-major, in elements
  std::string expected, actual;                 ///< bit patterns, e.g. "0x3c00"
  double expected_value = 0, actual_value = 0;  ///< the same as numbers
  std::optional<double> bound;                  ///< the error that was allowed, of a bound check
};

struct Check {
  std::string name;
  Kind kind = Kind::bitwise;
  std::uint64_t elements = 0;  ///< compared; a bound check leaves out elements whose bound is infinite
  std::uint64_t mismatches = 0;
  std::optional<Mismatch> first;
  std::string expected_hash, actual_hash;  ///< of all elements, also those without a bound
  std::uint64_t columns = 0;               ///< row length of the compared matrix, 0 for a flat buffer

  bool passed() const { return mismatches == 0; }
};

std::string_view to_string(Kind kind);

/// The number that a pattern like "0x3c00" stands for: a byte (2 digits), FP16 (4), FP32 (8) or FP64 (16).
/// Throws std::invalid_argument for anything else.
double value_of_pattern(std::string_view pattern);

/// The mismatch of two patterns, with the numbers they stand for. Throws as value_of_pattern does.
Mismatch mismatch(std::uint64_t index, std::string expected, std::string actual,
                  std::optional<double> bound = std::nullopt);

/// One line on a check's first mismatch: how many, where, bits and values.
std::string describe(const Check& check);

}  // namespace quadpair::reports
