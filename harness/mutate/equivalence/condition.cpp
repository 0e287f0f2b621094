#include "harness/mutate/equivalence/condition.hpp"

#include <algorithm>
#include <utility>

namespace quadpair::mutate {
namespace {

/// a < b, or a <= b; false where that cannot be.
bool order(Value& a, Value& b, bool strictly) {
  const std::uint64_t step = strictly ? 1 : 0;
  if (strictly && (b.highest == 0 || a.lowest == mask_of(a.width))) return false;
  a.highest = std::min(a.highest, b.highest - step);
  b.lowest = std::max(b.lowest, a.lowest + step);
  return a.lowest <= a.highest && b.lowest <= b.highest;
}

bool equate(Value& a, Value& b) {
  a.lowest = b.lowest = std::max(a.lowest, b.lowest);
  a.highest = b.highest = std::min(a.highest, b.highest);
  return a.lowest <= a.highest;
}

/// The one number is cut off where it is the other's first or last.
bool separate(Value& a, const Value& b) {
  if (!b.is_constant()) return true;
  if (a.lowest == a.highest && a.lowest == b.lowest) return false;
  if (a.lowest == b.lowest) ++a.lowest;
  if (a.highest == b.lowest) --a.highest;
  return true;
}

/// The special register that the number is, bit by bit; null: none.
Value* special_of(const Value& value, Known& known) {
  Value* special = nullptr;
  for (unsigned i = 0; i < value.width; ++i) {
    const Bit bit = value.made_of ? (*value.made_of)[i] : Bit{};
    if (bit.reg < 0) continue;
    Value* one = &known[static_cast<std::size_t>(bit.reg)];
    if (bit.place != i || (special != nullptr && one != special)) return nullptr;
    special = one;
  }
  if (special == nullptr) return nullptr;
  for (unsigned i = 0; i < value.width; ++i)
    if ((*value.made_of)[i].reg < 0 && ((value.zeros & special->zeros) >> i & 1) == 0) return nullptr;
  return special;
}

}  // namespace

std::optional<Condition> Condition::of(const ptx::Instruction& comparison) {
  auto found = comparison_of(comparison);
  if (!found || (found->is_signed && found->relation != "eq" && found->relation != "ne")) return std::nullopt;
  return Condition(std::move(*found));
}

bool Condition::ends_with(const ptx::Instruction& instruction) const {
  return std::ranges::any_of(instruction.defs, [&](int reg) {
    return (comparison_.a.kind == ptx::OperandKind::reg && comparison_.a.reg == reg) ||
           (comparison_.b.kind == ptx::OperandKind::reg && comparison_.b.reg == reg);
  });
}

bool Condition::assume(bool outcome, Known& known) const {
  const auto value = [&](const ptx::Operand& operand) {
    if (operand.kind == ptx::OperandKind::reg) return known[static_cast<std::size_t>(operand.reg)];
    if (operand.kind == ptx::OperandKind::immediate) return Value::constant(comparison_.width, operand.value);
    return Value::any(comparison_.width);
  };
  Value a = value(comparison_.a), b = value(comparison_.b);
  const std::string& r = comparison_.relation;
  const bool less = (r == "lt" && outcome) || (r == "ge" && !outcome),
             more = (r == "gt" && outcome) || (r == "le" && !outcome),
             at_most = (r == "le" && outcome) || (r == "gt" && !outcome),
             equal = (r == "eq" && outcome) || (r == "ne" && !outcome),
             different = (r == "ne" && outcome) || (r == "eq" && !outcome);
  const bool possible = equal       ? equate(a, b)
                        : different ? separate(a, b) && separate(b, a)
                        : less      ? order(a, b, true)
                        : more      ? order(b, a, true)
                        : at_most   ? order(a, b, false)
                                    : order(b, a, false);
  if (!possible) return false;
  const auto put = [&](const ptx::Operand& operand, const Value& narrowed) {
    if (operand.kind != ptx::OperandKind::reg) return;
    known[static_cast<std::size_t>(operand.reg)] = narrowed.tightened();
    if (Value* special = special_of(narrowed, known)) {
      special->lowest = std::max(special->lowest, narrowed.lowest);
      special->highest = std::min(special->highest, narrowed.highest);
      *special = special->tightened();
    }
  };
  put(comparison_.a, a);
  put(comparison_.b, b);
  return true;
}

}  // namespace quadpair::mutate
