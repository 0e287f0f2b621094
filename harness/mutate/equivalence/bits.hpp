// Operations on numbers of which each bit is known, is the bit of a register, or is anything.
#pragma once

#include <cstdint>

#include "harness/mutate/equivalence/bit.hpp"
#include "harness/mutate/equivalence/value.hpp"

namespace quadpair::mutate {

/// Of a register; negative: of no register, so that what is neither known nor made of another's is anything.
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
