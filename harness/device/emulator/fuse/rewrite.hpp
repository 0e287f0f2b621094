// One instruction after another takes in what its operands are known to hold.
#pragma once

#include "harness/device/emulator/fuse/fuse.hpp"
#include "harness/device/emulator/fuse/known_values.hpp"
#include "harness/device/emulator/opcode_table.hpp"
#include "harness/device/emulator/ptx/analysis.hpp"

namespace quadpair::emulator {

/// Rewrites an entry in place, one instruction for one. Definitions that become useless stay.
class Rewriter {
 public:
  Rewriter(ptx::Entry& entry, const UndefinedRegisters& undefined, const OpcodeTable& table);

  void rewrite(const ptx::ControlFlow& flow);

 private:
  void rewrite(ptx::Instruction& instruction);
  void take_constants(ptx::Instruction& instruction) const;
  void take_offset(ptx::Instruction& instruction) const;
  void take_product(ptx::Instruction& instruction) const;
  void take_field(ptx::Instruction& instruction) const;
  void take_fields(ptx::Instruction& instruction) const;
  void take_factor(ptx::Instruction& instruction) const;
  void note(const ptx::Instruction& instruction);
  bool touches_watched(const ptx::Instruction& instruction) const;
  KnownValue value_of(const ptx::Instruction& instruction) const;

  /// The field that a register operand is known to be, or the register itself.
  Field field_of(const ptx::Operand& operand) const;

  ptx::Entry& entry_;
  std::vector<bool> watched_;  ///< by register
  KnownValues known_;
  const OpcodeTable& table_;
};

}  // namespace quadpair::emulator
