// One comparison of what a device gave with what it should have given.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace quadpair::compare {

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

/// The number that a pattern like "0x3c00" stands for: a byte (2 digits), FP16 (4), FP32 (8) or FP64 (16).
/// Throws std::invalid_argument for anything else.
double value_of_pattern(std::string_view pattern);

/// Compares FP16 bit patterns. Throws std::invalid_argument when the sizes differ.
Check bitwise(std::string name, std::span<const std::uint16_t> expected,
              std::span<const std::uint16_t> actual);

/// Compares 32-bit patterns: FP32 numbers or ids. Throws std::invalid_argument when the sizes differ.
Check bitwise(std::string name, std::span<const std::uint32_t> expected,
              std::span<const std::uint32_t> actual);

/// Compares bytes. Throws std::invalid_argument when the sizes differ.
Check bitwise(std::string name, std::span<const std::uint8_t> expected, std::span<const std::uint8_t> actual);

/// Holds FP16 results against FP64 values and the largest error each may have (reference::OracleResult).
/// A NaN result, value or bound fails. Throws std::invalid_argument when the sizes differ.
Check within_bound(std::string name, std::span<const double> value, std::span<const double> bound,
                   std::span<const std::uint16_t> actual);

}  // namespace quadpair::compare
