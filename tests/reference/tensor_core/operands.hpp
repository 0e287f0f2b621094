// Random operands of kinds that exercise the models: plain numbers seldom meet an edge.
#pragma once

#include <cstdint>
#include <random>

namespace quadpair::test {

enum class HalfKind { any, finite, narrow, wide, sparse, zeros, few_bits, largest, specials, subnormal };
inline constexpr int half_kinds = 10;

inline std::uint16_t random_half(HalfKind kind, std::mt19937_64& random) {
  const std::uint64_t r = random();
  const auto bits = static_cast<std::uint16_t>(r);
  const auto pick = [&](int shift, std::uint64_t count) { return (r >> shift) % count; };
  const auto with_exponent = [&](std::uint64_t exponent) {
    return static_cast<std::uint16_t>((bits & 0x83FF) | (exponent << 10));
  };
  switch (kind) {
    case HalfKind::any: return bits;
    case HalfKind::finite: return (bits & 0x7C00) == 0x7C00 ? bits & 0xBFFF : bits;
    case HalfKind::narrow: return with_exponent(13 + pick(16, 5));
    case HalfKind::wide: return with_exponent(pick(16, 31));
    case HalfKind::sparse: return pick(16, 3) == 0 ? bits & 0x8000 : with_exponent(pick(20, 31));
    case HalfKind::zeros: return bits & 0x8000;
    case HalfKind::few_bits: return static_cast<std::uint16_t>((bits & 0x8300) | ((15 + pick(16, 2)) << 10));
    case HalfKind::largest:  // significands near 2, nearly all of one sign: the largest sums there are
      return static_cast<std::uint16_t>(0x3FFF - pick(16, 3) + (pick(20, 64) == 0 ? 0x8000 : 0));
    case HalfKind::specials:
      if (pick(16, 16) != 0) return with_exponent(13 + pick(20, 5));
      return static_cast<std::uint16_t>((bits & 0x8000) | 0x7C00 | (pick(24, 4) == 0 ? 0x155 : 0));
    case HalfKind::subnormal: return bits & 0x83FF;
  }
  return 0;
}

enum class FloatKind { any, wide, zeros, narrow, small, subnormal, huge };
inline constexpr int float_kinds = 7;

inline std::uint32_t random_float(FloatKind kind, std::mt19937_64& random) {
  const std::uint64_t r = random();
  const auto bits = static_cast<std::uint32_t>(r);
  const auto with_exponent = [&](std::uint64_t low, std::uint64_t count) {
    return static_cast<std::uint32_t>((bits & 0x807FFFFF) | ((low + (r >> 32) % count) << 23));
  };
  switch (kind) {
    case FloatKind::any: return bits;
    case FloatKind::wide: return with_exponent(100, 50);
    case FloatKind::zeros: return bits & 0x80000000;
    case FloatKind::narrow: return with_exponent(120, 12);
    case FloatKind::small: return with_exponent(60, 70);
    case FloatKind::subnormal: return with_exponent(0, 3);
    case FloatKind::huge: return with_exponent(200, 56);
  }
  return 0;
}

}  // namespace quadpair::test
