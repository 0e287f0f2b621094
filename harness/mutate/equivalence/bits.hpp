// A number of which each bit is known, is the bit of a register, or is anything.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/mutate/equivalence/value.hpp"

namespace quadpair::mutate {

struct Bit {
  static constexpr int zero = -1, one = -2, anything = -3;
  int reg = anything;  ///< or one of these
  unsigned place = 0;  ///< in the register

  bool known() const { return reg == zero || reg == one; }
  friend bool operator==(const Bit&, const Bit&) = default;
};

constexpr Bit bit_of(bool value) {
  return {value ? Bit::one : Bit::zero, 0};
}

/// The lowest bit first.
using Bits = std::vector<Bit>;

/// Of a register; negative: of no register, so that what is not known is anything.
Bits bits_of(const Value& value, int reg);
/// What the bits say, as zeros and ones.
Value value_of(const Bits& bits);

/// `table`: the result for a, b, c at 4a + 2b + c, as lop3 has it.
Bits logic(const Bits& a, const Bits& b, const Bits& c, unsigned table);
Bits shifted_left(const Bits& a, std::uint64_t by);
/// `fill` comes in from above.
Bits shifted_right(const Bits& a, std::uint64_t by, Bit fill);
/// The lowest bits, or all and `fill` above them.
Bits resized(const Bits& a, unsigned width, Bit fill);
Bits sum(const Bits& a, const Bits& b, Bit carry = bit_of(false));
/// prmt: byte i of the result is the byte of {b, a} that nibble i of the selector names, or its sign.
Bits permuted(const Bits& a, const Bits& b, std::uint64_t selector);
/// Bits that both agree on.
Bits either(const Bits& a, const Bits& b);

}  // namespace quadpair::mutate
