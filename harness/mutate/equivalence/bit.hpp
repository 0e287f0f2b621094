// A number of which each bit is known, is the bit of a register, or is anything.
#pragma once

#include <vector>

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

}  // namespace quadpair::mutate
