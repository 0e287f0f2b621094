#include "harness/compare/trust.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cmath>
#include <functional>
#include <stdexcept>

namespace quadpair::compare {
namespace {

/// A finite FP16 number as odd . 2^exponent (0 as 0 . 2^0).
struct Odd {
  std::uint32_t odd;
  int exponent;
};

bool finite(std::uint16_t h) {
  return (h & 0x7C00) != 0x7C00;
}

Odd split(std::uint16_t h) {
  const std::uint32_t fraction = h & 0x3FF;
  const int exponent = (h >> 10) & 31;
  const std::uint32_t significand = exponent == 0 ? fraction : fraction | 0x400;
  if (significand == 0) return {0, 0};
  const int zeros = std::countr_zero(significand);
  return {significand >> zeros, std::max(exponent, 1) - 25 + zeros};
}

/// Which values occur; looks no further once all have.
std::bitset<256> values(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t part = 4096;
  std::array<std::uint8_t, 256> seen{};
  for (std::size_t first = 0; first < bytes.size() && !std::ranges::all_of(seen, std::identity{});
       first += part)
    for (const std::uint8_t byte : bytes.subspan(first, std::min(part, bytes.size() - first))) seen[byte] = 1;
  std::bitset<256> found;
  for (std::size_t value = 0; value < seen.size(); ++value) found[value] = seen[value] != 0;
  return found;
}

template <class T>
bool constant(std::span<const T> values) {
  return values.size() > 1 && std::ranges::all_of(values, [&](auto v) { return v == values[0]; });
}

/// Why expected outputs could not show a fault.
template <class T>
std::optional<std::string> why_mute(const std::vector<std::span<const T>>& rounds) {
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    const std::span<const T> expected = rounds[round];
    if (constant(expected))
      return fmt::format("every one of the {} expected outputs of round {} is {:#0{}x}", expected.size(),
                         round, expected[0], 2 + 2 * sizeof(T));
    if (round > 0 && !expected.empty() && std::ranges::equal(expected, rounds[round - 1]))
      return fmt::format("the changed inputs of round {} give the outputs of the round before", round);
  }
  return std::nullopt;
}

}  // namespace

reports::Coverage cover(std::span<const std::uint8_t> packed_code_pairs, std::span<const std::uint8_t> scales,
                        std::uint64_t subnormal_weights) {
  const std::bitset<256> pairs = values(packed_code_pairs), bytes = values(scales);
  std::bitset<16> codes;
  for (std::size_t pair = 0; pair < pairs.size(); ++pair)
    if (pairs[pair]) codes.set(pair & 15).set(pair >> 4);
  return {static_cast<std::uint32_t>(codes.count()), static_cast<std::uint32_t>(bytes.count()),
          subnormal_weights};
}

reports::Coverage cover_fp8(std::span<const std::uint8_t> codes, std::span<const std::uint16_t> decoded) {
  if (codes.size() != decoded.size()) throw std::invalid_argument("cover_fp8: sizes differ");
  constexpr std::uint32_t numbers = 254;
  std::uint64_t subnormals = 0;
  for (std::size_t i = 0; i < codes.size(); ++i)
    subnormals += (codes[i] & 0x7F) != 0 && (decoded[i] & 0x7C00) == 0 ? 1 : 0;
  return {static_cast<std::uint32_t>(values(codes).count()), 0, subnormals, numbers};
}

reports::Coverage cover_fp16(std::span<const std::uint16_t> weights) {
  const auto subnormals =
      std::ranges::count_if(weights, [](std::uint16_t w) { return (w & 0x7C00) == 0 && (w & 0x3FF) != 0; });
  return {0, 0, static_cast<std::uint64_t>(subnormals), 0};
}

bool exact_in_any_order(std::span<const std::uint16_t> x, std::span<const std::uint16_t> w) {
  if (x.size() != w.size()) throw std::invalid_argument("exact_in_any_order: sizes differ");
  double sum = 0;  // of magnitudes, exact as long as it is below 2^53 quanta
  int quantum = 0;
  bool any = false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!finite(x[i]) || !finite(w[i])) return true;
    const Odd a = split(x[i]), b = split(w[i]);
    if (a.odd == 0 || b.odd == 0) continue;
    const int exponent = a.exponent + b.exponent;
    quantum = any ? std::min(quantum, exponent) : exponent;
    any = true;
    sum += std::ldexp(static_cast<double>(a.odd) * b.odd, exponent);
  }
  return !any || sum < std::ldexp(1.0, 23 + quantum);
}

std::optional<std::string> why_mistrusted(const Evidence& evidence) {
  if (auto why = why_mute(evidence.expected)) return why;
  if (auto why = why_mute(evidence.expected_fp32)) return why;
  if (evidence.promises_all_codes && evidence.coverage.codes_seen < evidence.coverage.codes_there)
    return fmt::format("only {} of {} codes occur in the weights, all are promised",
                       evidence.coverage.codes_seen, evidence.coverage.codes_there);
  if (evidence.judges_order && evidence.sums_exact)
    return "every sampled sum is exact in any order, so no wrong order could show";
  return std::nullopt;
}

}  // namespace quadpair::compare
