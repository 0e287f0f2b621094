#include "harness/mutate/equivalence/bits.hpp"

#include <optional>

namespace quadpair::mutate {
namespace {

/// The bit that takes the value `low` where the unknown one is 0, and `high` where it is 1.
Bit choice(const Bit& unknown, bool low, bool high) {
  if (low == high) return bit_of(low);
  return high ? unknown : Bit{};
}

Bit logic(const Bit& a, const Bit& b, const Bit& c, unsigned table) {
  std::optional<Bit> unknown;
  for (const Bit& bit : {a, b, c}) {
    if (bit.known()) continue;
    if (unknown && (*unknown != bit || bit.reg == Bit::anything)) {
      // Two that differ: known only where the table says the same for all that they may be.
      bool first = true, same = true, value = false;
      for (unsigned i = 0; i < 8; ++i) {
        if ((a.known() && (a.reg == Bit::one) != ((i & 4) != 0)) ||
            (b.known() && (b.reg == Bit::one) != ((i & 2) != 0)) ||
            (c.known() && (c.reg == Bit::one) != ((i & 1) != 0)))
          continue;
        const bool result = (table >> i & 1) != 0;
        same &= first || result == value;
        value = result;
        first = false;
      }
      return same ? bit_of(value) : Bit{};
    }
    unknown = bit;
  }
  const auto result = [&](bool value) {
    const auto of = [&](const Bit& bit) { return bit.known() ? bit.reg == Bit::one : value; };
    return (table >> (4 * of(a) + 2 * of(b) + of(c)) & 1) != 0;
  };
  return unknown ? choice(*unknown, result(false), result(true)) : bit_of(result(false));
}

}  // namespace

Bits bits_of(const Value& value, int reg) {
  Bits bits(value.width);
  for (unsigned i = 0; i < value.width; ++i) {
    if (value.zeros >> i & 1)
      bits[i] = bit_of(false);
    else if (value.ones >> i & 1)
      bits[i] = bit_of(true);
    else if (value.made_of && (*value.made_of)[i].reg >= 0)
      bits[i] = (*value.made_of)[i];
    else if (reg >= 0)
      bits[i] = {reg, i};
  }
  return bits;
}

Value value_of(const Bits& bits) {
  Value value = Value::any(static_cast<unsigned>(bits.size()));
  for (unsigned i = 0; i < bits.size(); ++i) {
    if (bits[i].reg == Bit::zero) value.zeros |= std::uint64_t{1} << i;
    if (bits[i].reg == Bit::one) value.ones |= std::uint64_t{1} << i;
  }
  return value.tightened();
}

Bits logic(const Bits& a, const Bits& b, const Bits& c, unsigned table) {
  Bits result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = logic(a[i], b[i], c[i], table);
  return result;
}

Bits shifted_left(const Bits& a, std::uint64_t by) {
  Bits result(a.size(), bit_of(false));
  for (std::size_t i = by; i < a.size(); ++i) result[i] = a[i - by];
  return result;
}

Bits shifted_right(const Bits& a, std::uint64_t by, Bit fill) {
  Bits result(a.size(), fill);
  for (std::size_t i = 0; by < a.size() && i + by < a.size(); ++i) result[i] = a[i + by];
  return result;
}

Bits resized(const Bits& a, unsigned width, Bit fill) {
  Bits result(width, fill);
  for (unsigned i = 0; i < width && i < a.size(); ++i) result[i] = a[i];
  return result;
}

Bits sum(const Bits& a, const Bits& b, Bit carry) {
  Bits result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    result[i] = logic(a[i], b[i], carry, 0b10010110);  // one or three of them
    carry = logic(a[i], b[i], carry, 0b11101000);      // two of them
  }
  return result;
}

Bits permuted(const Bits& a, const Bits& b, std::uint64_t selector) {
  Bits result(32);
  for (unsigned byte = 0; byte < 4; ++byte) {
    const unsigned nibble = selector >> (4 * byte) & 0xF, from = nibble % 4 * 8;
    const Bits& source = nibble % 8 < 4 ? a : b;
    for (unsigned i = 0; i < 8; ++i) result[8 * byte + i] = source[from + (nibble >= 8 ? 7 : i)];
  }
  return result;
}

Bits either(const Bits& a, const Bits& b) {
  Bits result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] == b[i]) result[i] = a[i];
  return result;
}

}  // namespace quadpair::mutate
