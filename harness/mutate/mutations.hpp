// Damages to one instruction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/mutate/entry_text.hpp"

namespace quadpair::mutate {

/// What is done to an instruction.
enum class Kind {
  operation,  ///< another one on the same operands, or another comparison
  rounding,   ///< the same operation rounded otherwise, or on the other signedness
  constant,   ///< one more, one less; the last bit or the sign of a floating-point number
  address,    ///< off by one element
  guard,      ///< negated or dropped
  operands,   ///< two sources exchanged
  reg,        ///< a source replaced by a register of the same class that was written before
  exchange,   ///< two registers of a vector or a fragment exchanged
  dropped     ///< a store, a barrier, a copy, a jump left out; an mma that adds nothing
};

inline constexpr Kind all_kinds[] = {Kind::operation, Kind::rounding, Kind::constant,
                                     Kind::address,   Kind::guard,    Kind::operands,
                                     Kind::reg,       Kind::exchange, Kind::dropped};

std::string_view to_string(Kind kind);

struct Mutation {
  std::size_t place = 0;  ///< in EntryText::places()
  Kind kind = Kind::operation;
  std::string text;  ///< of the instruction; empty: left out
};

/// All damages to all instructions, in their order. None leaves the text of its instruction as it is; some
/// leave what it does as it is, and some the emulator refuses to load.
std::vector<Mutation> mutations_of(const EntryText& entry);

}  // namespace quadpair::mutate
