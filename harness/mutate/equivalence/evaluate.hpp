// What an instruction's result is, as far as its sources are known.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/device/emulator/ptx/types.hpp"
#include "harness/mutate/equivalence/bits.hpp"
#include "harness/mutate/equivalence/known.hpp"
#include "harness/mutate/equivalence/value.hpp"

namespace quadpair::mutate {

/// Bits of the numbers that an instruction works on, as the last part of its mnemonic says; 0 where it says
/// none.
unsigned operand_width(std::string_view mnemonic);

struct Evaluated {
  Value value;
  Bits bits;  ///< of the destination; symbols are the sources' registers
};

class Evaluator {
 public:
  Evaluator(const ptx::Entry& entry, const Known& known) : entry_(entry), known_(known) {}

  /// Of an instruction with one destination. What it does not model may be any number.
  Evaluated result(const ptx::Instruction& instruction) const;

  /// Of a source of that width; any number for what is no register and no constant.
  Value value(const ptx::Operand& operand, unsigned width) const;
  Bits bits(const ptx::Operand& operand, unsigned width) const;

  /// The outcome of a setp.
  std::optional<bool> outcome(const ptx::Instruction& comparison) const;

 private:
  std::shared_ptr<const Bits> of_specials(Bits bits) const;
  Evaluated of_bits(Bits bits) const { return {value_of(bits), std::move(bits)}; }
  std::optional<Evaluated> logical(const ptx::Instruction& instruction, unsigned width) const;
  std::optional<Evaluated> shift(const ptx::Instruction& instruction, unsigned width) const;
  std::optional<Evaluated> arithmetic(const ptx::Instruction& instruction, unsigned width) const;
  std::optional<Evaluated> load(const ptx::Instruction& instruction, unsigned width) const;
  std::optional<Evaluated> move(const ptx::Instruction& instruction, unsigned width) const;

  const ptx::Entry& entry_;
  const Known& known_;
};

}  // namespace quadpair::mutate
