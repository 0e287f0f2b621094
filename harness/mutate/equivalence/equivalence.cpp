#include "harness/mutate/equivalence/equivalence.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "harness/mutate/equivalence/comparison.hpp"

namespace quadpair::mutate {
namespace {

bool same(const ptx::Operand& a, const ptx::Operand& b) {
  return a.kind == b.kind && a.reg == b.reg && a.negated == b.negated && a.value == b.value &&
         a.name == b.name && std::ranges::equal(a.elements, b.elements, same);
}

/// Always, never; nothing where it is not known.
std::optional<bool> is_executed(const ptx::Instruction& instruction, const Known& known) {
  if (instruction.guard < 0) return true;
  const Value& guard = known[static_cast<std::size_t>(instruction.guard)];
  if (!guard.is_constant()) return std::nullopt;
  return (guard.lowest == 1) != instruction.guard_negated;
}

/// Known, or a register's.
bool all_known(const Bits& bits) {
  return std::ranges::none_of(bits, [](const Bit& bit) { return bit.reg == Bit::anything; });
}

/// The text after the guard.
std::string_view unguarded(const ptx::Instruction& instruction) {
  const std::string_view text = instruction.text;
  return instruction.guard < 0 ? text : text.substr(text.find(instruction.mnemonic));
}

class Prover {
 public:
  Prover(const ptx::Entry& entry, const Facts& facts, const Known& known, const std::vector<bool>& needed,
         std::size_t index, const ptx::Instruction& damaged)
      : entry_(entry),
        facts_(facts),
        needed_(needed),
        index_(index),
        sound_(entry.instructions[index]),
        damaged_(damaged),
        evaluator_(entry, known) {}

  std::optional<Proof> proof() const {
    if (!only_computes(sound_) || !only_computes(damaged_) || sound_.defs != damaged_.defs) {
      if (!same_context()) return std::nullopt;
      return same_sources() ? std::optional(Proof::same_source) : std::nullopt;
    }
    if (std::ranges::none_of(sound_.defs, [&](int reg) { return needed_[static_cast<std::size_t>(reg)]; }))
      return Proof::unneeded;
    // What a damaged instruction reads must have been written, for known values to be of use.
    for (const int reg : damaged_.uses)
      if (std::ranges::find(sound_.uses, reg) == sound_.uses.end() && !facts_.written_before(index_, reg))
        return std::nullopt;
    if (!same_context() || sound_.defs.size() != 1) return std::nullopt;
    if (same_tests()) return Proof::same_test;
    if (same_signs()) return Proof::same_sign;
    if (same_bits()) return Proof::same_bits;
    if (same_sources()) return Proof::same_source;
    return std::nullopt;
  }

 private:
  bool same_context() const {
    return sound_.guard == damaged_.guard && sound_.guard_negated == damaged_.guard_negated &&
           sound_.operands.size() == damaged_.operands.size();
  }

  bool same_tests() const {
    const auto one = comparison_of(sound_), other = comparison_of(damaged_);
    const auto value = [&](const Comparison& c, const ptx::Operand& operand) {
      return evaluator_.value(operand, c.width);
    };
    return one && other &&
           agree(*one, value(*one, one->a), value(*one, one->b), *other, value(*other, other->a),
                 value(*other, other->b));
  }

  /// "mul.wide.u32" and "mul.wide.s32" of natural numbers.
  bool same_signs() const {
    constexpr std::array<std::string_view, 3> known = {"mul.wide.", "shr.", "setp."};
    const auto is_known = [&](std::string_view name) { return sound_.mnemonic.starts_with(name); };
    const std::size_t dot = sound_.mnemonic.rfind('.');
    std::string turned = sound_.mnemonic;
    turned[dot + 1] = turned[dot + 1] == 'u' ? 's' : 'u';
    if (std::ranges::none_of(known, is_known) || turned != damaged_.mnemonic) return false;
    const unsigned width = operand_width(sound_.mnemonic);
    for (std::size_t i = 1; i < sound_.operands.size(); ++i) {
      if (!same(sound_.operands[i], damaged_.operands[i])) return false;
      const bool amount = sound_.mnemonic.starts_with("shr.") && i == 2;
      if (!amount && !evaluator_.value(sound_.operands[i], width).is_natural()) return false;
    }
    return true;
  }

  bool same_bits() const {
    const Bits one = evaluator_.result(sound_).bits, other = evaluator_.result(damaged_).bits;
    return one == other && all_known(one);
  }

  bool same_sources() const {
    if (sound_.mnemonic != damaged_.mnemonic) return false;
    for (std::size_t i = 0; i < sound_.operands.size(); ++i) {
      const ptx::Operand &one = sound_.operands[i], &other = damaged_.operands[i];
      if (same(one, other)) continue;
      if (!same_constants(one, other)) return false;
    }
    return true;
  }

  /// Registers, or vectors of registers, that hold the same constants, or what special registers hold.
  bool same_constants(const ptx::Operand& one, const ptx::Operand& other) const {
    if (one.kind == ptx::OperandKind::vector && other.kind == ptx::OperandKind::vector)
      return std::ranges::equal(one.elements, other.elements, [&](const auto& a, const auto& b) {
        return same(a, b) || same_constants(a, b);
      });
    if (one.kind != ptx::OperandKind::reg || other.kind != ptx::OperandKind::reg ||
        one.negated != other.negated)
      return false;
    const auto defines = [&](int reg) { return std::ranges::find(sound_.defs, reg) != sound_.defs.end(); };
    if (defines(one.reg) || defines(other.reg) || !facts_.written_before(index_, other.reg)) return false;
    const unsigned width = width_of(entry_.registers[static_cast<std::size_t>(one.reg)].cls);
    const Bits bits = evaluator_.bits(one, width);
    return bits == evaluator_.bits(other, width) && all_known(bits);
  }

  const ptx::Entry& entry_;
  const Facts& facts_;
  const std::vector<bool>& needed_;
  std::size_t index_;
  const ptx::Instruction &sound_, &damaged_;
  Evaluator evaluator_;
};

}  // namespace

std::string_view to_string(Proof proof) {
  switch (proof) {
    case Proof::unreached: return "unreached";
    case Proof::same_guard: return "same_guard";
    case Proof::unneeded: return "unneeded";
    case Proof::same_test: return "same_test";
    case Proof::same_sign: return "same_sign";
    case Proof::same_bits: return "same_bits";
    case Proof::same_source: return "same_source";
    case Proof::same_function: return "same_function";
  }
  return "unknown";
}

std::string_view explanation(Proof proof) {
  switch (proof) {
    case Proof::unreached: return "no branch leads to the instruction";
    case Proof::same_guard: return "the guard says the same at all times, and both are executed, or neither";
    case Proof::unneeded:
      return "nothing computed from the result is stored, an address, or decides a branch";
    case Proof::same_test: return "both comparisons say the same for all that their operands may be";
    case Proof::same_sign: return "no operand can be a negative number";
    case Proof::same_bits:
      return "each bit of the result is known, or a bit of the same register, and the same";
    case Proof::same_source: return "the registers hold the same constant, or the same special register";
    case Proof::same_function:
      return "each 16-bit number computed from it is the same for all 65,536 that it is computed of";
  }
  return "unknown";
}

std::optional<Proof> Equivalence::proof(std::size_t index, const ptx::Instruction* damaged) {
  if (!facts_.reached(index)) return Proof::unreached;
  if (index_ != index) {
    known_ = facts_.known_before(index);
    needed_ = facts_.needed_after(index);
    index_ = index;
  }
  const ptx::Instruction& sound = entry_.instructions[index];
  const auto executed = is_executed(sound, known_);
  if (executed == false && (damaged == nullptr || is_executed(*damaged, known_) == false))
    return Proof::same_guard;
  if (damaged == nullptr) return std::nullopt;
  if (executed == true && sound.guard >= 0 && is_executed(*damaged, known_) == true &&
      unguarded(sound) == unguarded(*damaged))
    return Proof::same_guard;
  if (const auto found = Prover(entry_, facts_, known_, needed_, index, *damaged).proof()) return found;
  return functions_.same(index, *damaged) ? std::optional(Proof::same_function) : std::nullopt;
}

}  // namespace quadpair::mutate
