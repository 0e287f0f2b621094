// What is known of a register's value, in every lane and at every time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>

#include "harness/mutate/equivalence/bit.hpp"

namespace quadpair::mutate {

/// The numbers below 2^width.
constexpr std::uint64_t mask_of(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// A set of unsigned numbers: those between `lowest` and `highest` whose bits `zeros` are 0 and `ones` are 1.
struct Value {
  unsigned width = 32;
  std::uint64_t lowest = 0, highest = 0, zeros = 0, ones = 0;
  std::shared_ptr<const Bits> made_of{};  ///< which of its bits are a special register's; null: none

  static Value any(unsigned width) { return between(width, 0, mask_of(width)); }
  static Value between(unsigned width, std::uint64_t lowest, std::uint64_t highest) {
    return Value{width, lowest, highest, 0, 0}.tightened();
  }
  static Value constant(unsigned width, std::uint64_t value) {
    return between(width, value & mask_of(width), value & mask_of(width));
  }

  bool is_constant() const { return lowest == highest; }
  /// As two's complement it is no negative number.
  bool is_natural() const { return highest <= mask_of(width) >> 1; }
  bool may_be(std::uint64_t value) const {
    return lowest <= value && value <= highest && (value & zeros) == 0 && (~value & ones) == 0;
  }

  /// What either says, carried from the bits to the limits and back.
  Value tightened() const {
    Value v = *this;
    const std::uint64_t mask = mask_of(width);
    v.lowest = std::max(v.lowest, v.ones);
    v.highest = std::min(v.highest, mask & ~v.zeros);
    const unsigned shared = static_cast<unsigned>(std::countl_zero(v.lowest ^ v.highest));
    const std::uint64_t leading = shared == 0 ? 0 : ~std::uint64_t{0} << (64 - shared);
    v.zeros = (v.zeros | (leading & ~v.highest)) & mask;
    v.ones |= leading & v.highest & mask;
    return v;
  }

  /// The numbers of both.
  Value joined(const Value& other) const {
    return {width,
            std::min(lowest, other.lowest),
            std::max(highest, other.highest),
            zeros & other.zeros,
            ones & other.ones,
            common(made_of, other.made_of)};
  }

  friend bool operator==(const Value& a, const Value& b) {
    return a.width == b.width && a.lowest == b.lowest && a.highest == b.highest && a.zeros == b.zeros &&
           a.ones == b.ones &&
           (a.made_of == b.made_of || (a.made_of && b.made_of && *a.made_of == *b.made_of));
  }

 private:
  static std::shared_ptr<const Bits> common(const std::shared_ptr<const Bits>& a,
                                            const std::shared_ptr<const Bits>& b) {
    if (a == b || (a && b && *a == *b)) return a;
    if (!a || !b) return nullptr;
    Bits both = *a;
    for (std::size_t i = 0; i < both.size(); ++i)
      if (both[i] != (*b)[i]) both[i] = Bit{};
    return std::make_shared<const Bits>(std::move(both));
  }
};

}  // namespace quadpair::mutate
