// Comparisons of integers, and whether two of them say the same.
#pragma once

#include <optional>
#include <string>

#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/mutate/equivalence/value.hpp"

namespace quadpair::mutate {

/// setp.{eq,ne,lt,le,gt,ge}.{u,s,b}N into one predicate.
struct Comparison {
  std::string relation;
  bool is_signed = false;
  unsigned width = 32;
  ptx::Operand a, b;
};

/// Nothing for another instruction, or one of floating-point numbers.
std::optional<Comparison> comparison_of(const ptx::Instruction& instruction);

/// What it says, where it says the same for all values.
std::optional<bool> decided(const Comparison& comparison, const Value& a, const Value& b);

/// Whether two comparisons say the same of all values; `a` and `b` are those of `first`'s operands, `c` and
/// `d` of `second`'s.
bool agree(const Comparison& first, const Value& a, const Value& b, const Comparison& second, const Value& c,
           const Value& d);

}  // namespace quadpair::mutate
