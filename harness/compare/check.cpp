#include "harness/compare/check.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "harness/compare/hash.hpp"
#include "reference/oracle/oracle.hpp"

namespace quadpair::compare {
namespace {

using reports::Check;
using reports::Kind;

template <class T>
std::string hex(T bits) {
  return fmt::format("{:#0{}x}", bits, 2 + 2 * sizeof(T));
}

void require_equal_sizes(const std::string& name, std::size_t expected, std::size_t actual) {
  if (expected != actual)
    throw std::invalid_argument(
        fmt::format("{}: {} elements are compared with {} expected ones", name, actual, expected));
}

template <class T>
Check bitwise_of(std::string name, std::span<const T> expected, std::span<const T> actual) {
  require_equal_sizes(name, expected.size(), actual.size());
  const bool same =
      expected.empty() || std::memcmp(expected.data(), actual.data(), expected.size_bytes()) == 0;
  const std::string expected_hash = hash(std::as_bytes(expected));
  Check check{std::move(name),
              Kind::bitwise,
              expected.size(),
              0,
              std::nullopt,
              expected_hash,
              same ? expected_hash : hash(std::as_bytes(actual)),
              0};
  if (same) return check;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == actual[i]) continue;
    if (check.mismatches++ == 0) check.first = reports::mismatch(i, hex(expected[i]), hex(actual[i]));
  }
  return check;
}

double number(std::uint16_t fp16) {
  return reference::to_float(fp16);
}

double number(std::uint32_t fp32) {
  return std::bit_cast<float>(fp32);
}

template <class T>
Check within_bound_of(std::string name, std::span<const double> value, std::span<const double> bound,
                      std::span<const T> actual) {
  require_equal_sizes(name, value.size(), actual.size());
  require_equal_sizes(name, bound.size(), actual.size());
  Check check{std::move(name),
              Kind::bound,
              0,
              0,
              std::nullopt,
              hash(std::as_bytes(value)),
              hash(std::as_bytes(actual)),
              0};
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (bound[i] == INFINITY) continue;
    ++check.elements;
    if (std::isfinite(value[i]) && reference::number_within(value[i], bound[i], number(actual[i]))) continue;
    if (check.mismatches++ == 0)
      check.first =
          reports::mismatch(i, hex(std::bit_cast<std::uint64_t>(value[i])), hex(actual[i]), bound[i]);
  }
  return check;
}

}  // namespace

Check bitwise(std::string name, std::span<const std::uint16_t> expected,
              std::span<const std::uint16_t> actual) {
  return bitwise_of(std::move(name), expected, actual);
}

Check bitwise(std::string name, std::span<const std::uint32_t> expected,
              std::span<const std::uint32_t> actual) {
  return bitwise_of(std::move(name), expected, actual);
}

Check bitwise(std::string name, std::span<const std::uint8_t> expected,
              std::span<const std::uint8_t> actual) {
  return bitwise_of(std::move(name), expected, actual);
}

Check within_bound(std::string name, std::span<const double> value, std::span<const double> bound,
                   std::span<const std::uint16_t> actual) {
  return within_bound_of(std::move(name), value, bound, actual);
}

Check within_bound(std::string name, std::span<const double> value, std::span<const double> bound,
                   std::span<const std::uint32_t> actual) {
  return within_bound_of(std::move(name), value, bound, actual);
}

}  // namespace quadpair::compare
