#include "harness/compare/check.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "harness/compare/hash.hpp"
#include "reference/formats/fp16.hpp"
#include "reference/oracle/oracle.hpp"

namespace quadpair::compare {
namespace {

double value_of(std::uint16_t bits) {
  return reference::to_float(bits);
}

double value_of(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

double value_of(std::uint8_t byte) {
  return byte;
}

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
  Check check{std::move(name),
              Kind::bitwise,
              expected.size(),
              0,
              std::nullopt,
              hash(std::as_bytes(expected)),
              hash(std::as_bytes(actual)),
              0};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == actual[i]) continue;
    if (check.mismatches++ == 0)
      check.first = Mismatch{
          i, hex(expected[i]), hex(actual[i]), value_of(expected[i]), value_of(actual[i]), std::nullopt};
  }
  return check;
}

}  // namespace

double value_of_pattern(std::string_view pattern) {
  std::uint64_t bits = 0;
  const char* const end = pattern.data() + pattern.size();
  if (pattern.starts_with("0x")) {
    const auto [stop, error] = std::from_chars(pattern.data() + 2, end, bits, 16);
    if (error == std::errc{} && stop == end) switch (pattern.size()) {
        case 4: return value_of(static_cast<std::uint8_t>(bits));
        case 6: return value_of(static_cast<std::uint16_t>(bits));
        case 10: return value_of(static_cast<std::uint32_t>(bits));
        case 18: return std::bit_cast<double>(bits);
        default: break;
      }
  }
  throw std::invalid_argument(fmt::format("\"{}\" is no bit pattern", pattern));
}

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
    if (std::isfinite(value[i]) && reference::within(value[i], bound[i], actual[i])) continue;
    if (check.mismatches++ == 0)
      check.first = Mismatch{
          i,       hex(std::bit_cast<std::uint64_t>(value[i])), hex(actual[i]), value[i], value_of(actual[i]),
          bound[i]};
  }
  return check;
}

}  // namespace quadpair::compare
