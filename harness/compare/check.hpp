// One comparison of what a device gave with what it should have given.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "reports/check.hpp"

namespace quadpair::compare {

/// Compares FP16 bit patterns. Throws std::invalid_argument when the sizes differ.
reports::Check bitwise(std::string name, std::span<const std::uint16_t> expected,
                       std::span<const std::uint16_t> actual);

/// Compares 32-bit patterns: FP32 numbers or ids. Throws std::invalid_argument when the sizes differ.
reports::Check bitwise(std::string name, std::span<const std::uint32_t> expected,
                       std::span<const std::uint32_t> actual);

/// Compares bytes. Throws std::invalid_argument when the sizes differ.
reports::Check bitwise(std::string name, std::span<const std::uint8_t> expected,
                       std::span<const std::uint8_t> actual);

/// Holds results, FP16 or FP32 patterns, against FP64 values and the largest error each may have
/// (reference::OracleResult). A NaN result, value or bound fails. Throws std::invalid_argument when the sizes
/// differ.
reports::Check within_bound(std::string name, std::span<const double> value, std::span<const double> bound,
                            std::span<const std::uint16_t> actual);
reports::Check within_bound(std::string name, std::span<const double> value, std::span<const double> bound,
                            std::span<const std::uint32_t> actual);

}  // namespace quadpair::compare
