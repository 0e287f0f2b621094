#include "reports/check.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <stdexcept>

namespace quadpair::reports {

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::bitwise: return "bitwise";
    case Kind::bound: return "bound";
  }
  return "unknown";
}

double value_of_pattern(std::string_view pattern) {
  std::uint64_t bits = 0;
  const char* const end = pattern.data() + pattern.size();
  if (pattern.starts_with("0x")) {
    const auto [stop, error] = std::from_chars(pattern.data() + 2, end, bits, 16);
    if (error == std::errc{} && stop == end) switch (pattern.size()) {
        case 4: return static_cast<double>(bits);
        case 6: return static_cast<double>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits)));
        case 10: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        case 18: return std::bit_cast<double>(bits);
        default: break;
      }
  }
  throw std::invalid_argument(fmt::format("\"{}\" is no bit pattern", pattern));
}

Mismatch mismatch(std::uint64_t index, std::string expected, std::string actual,
                  std::optional<double> bound) {
  const double expected_value = value_of_pattern(expected), actual_value = value_of_pattern(actual);
  return {index, std::move(expected), std::move(actual), expected_value, actual_value, bound};
}

std::string describe(const Check& check) {
  std::string text = fmt::format("{}: {} of {} differ", check.name, check.mismatches, check.elements);
  if (!check.first) return text;
  const Mismatch& first = *check.first;
  text += check.columns > 0
              ? fmt::format(", first at [{}, {}]", first.index / check.columns, first.index % check.columns)
              : fmt::format(", first at {}", first.index);
  text += fmt::format(": expected {} ({:.9g}), got {} ({:.9g})", first.expected, first.expected_value,
                      first.actual, first.actual_value);
  if (first.bound) text += fmt::format(", allowed error {:.3g}", *first.bound);
  return text;
}

}  // namespace quadpair::reports
