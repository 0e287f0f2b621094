// Values that tell right from wrong: edges of every type, and random ones.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/device/opcodes/one_instruction.hpp"

namespace quadpair::device {

inline std::uint64_t low_bits(std::uint64_t value, unsigned width) {
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

inline std::int64_t sign_extended(std::uint64_t value, unsigned width) {
  return static_cast<std::int64_t>(value << (64 - width)) >> (64 - width);
}

/// Of a width of 8 to 64 bits.
inline std::vector<std::uint64_t> integer_edges(unsigned width) {
  const std::uint64_t top = std::uint64_t{1} << (width - 1);
  std::vector<std::uint64_t> edges = {0,
                                      1,
                                      2,
                                      3,
                                      7,
                                      width - 1,
                                      width,
                                      width + 1,
                                      0x5555555555555555,
                                      top,
                                      top - 1,
                                      top + 1,
                                      0 - std::uint64_t{1},
                                      0 - std::uint64_t{2},
                                      0x80,
                                      0x8000,
                                      0x80000000};
  for (std::uint64_t& edge : edges) edge = low_bits(edge, width);
  return edges;
}

/// `count` cases whose source i has widths[i] random bits, a third of them few (small integers).
inline void add_random(std::vector<Values>& cases, std::size_t count, const std::vector<unsigned>& widths) {
  std::mt19937_64 random(count + widths[0]);
  for (std::size_t i = 0; i < count; ++i) {
    Values values{};
    for (std::size_t k = 0; k < widths.size(); ++k) {
      const std::uint64_t bits = random();
      values[k] = low_bits(random() % 3 == 0 ? bits >> (random() % 64) : bits, widths[k]);
    }
    cases.push_back(values);
  }
}

/// Edges of each source against each other (all three where there are three), then random ones.
inline std::vector<Values> integer_cases(const std::vector<unsigned>& widths,
                                         std::size_t random_count = 400) {
  std::vector<Values> cases;
  for (std::uint64_t a : integer_edges(widths[0]))
    for (std::uint64_t b : widths.size() > 1 ? integer_edges(widths[1]) : std::vector<std::uint64_t>{0})
      for (std::uint64_t c : widths.size() > 2 ? integer_edges(widths[2]) : std::vector<std::uint64_t>{0})
        cases.push_back({a, b, c, 0});
  add_random(cases, random_count, widths);
  return cases;
}

}  // namespace quadpair::device
