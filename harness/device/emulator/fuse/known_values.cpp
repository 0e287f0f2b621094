#include "harness/device/emulator/fuse/known_values.hpp"

namespace quadpair::emulator {
bool sets_constant(const ptx::Instruction& instruction) {
  return instruction.guard < 0 && instruction.mnemonic.starts_with("mov.") &&
         instruction.operands.size() == 2 && instruction.operands[0].kind == ptx::OperandKind::reg &&
         instruction.operands[1].kind == ptx::OperandKind::immediate;
}

Field Field::shifted_left(std::uint32_t amount) const {
  if (amount > 31) return {source, 0, 0};
  return {source, (rotation + amount) % 32, mask << amount};
}

Field Field::shifted_right(std::uint32_t amount) const {
  if (amount > 31) return {source, 0, 0};
  return {source, (rotation + 32 - amount) % 32, mask >> amount};
}

KnownValues::KnownValues(const ptx::Entry& entry, const std::vector<std::uint32_t>& undefined)
    : everywhere_(entry.registers.size()), versions_(entry.registers.size()) {
  std::vector<std::uint32_t> definitions(entry.registers.size());
  for (const ptx::Instruction& instruction : entry.instructions)
    for (const int reg : instruction.defs) ++definitions[static_cast<std::size_t>(reg)];
  for (const std::uint32_t reg : undefined) definitions[reg] = 2;  // what it holds at first counts too
  for (const ptx::Instruction& instruction : entry.instructions)
    if (sets_constant(instruction))
      if (const auto reg = static_cast<std::size_t>(instruction.operands[0].reg); definitions[reg] == 1)
        everywhere_[reg] = Constant{instruction.operands[1].value};
  begin_block();
}

void KnownValues::begin_block() {
  values_ = everywhere_;
}

void KnownValues::define(int reg, KnownValue value) {
  const auto r = static_cast<std::size_t>(reg);
  ++versions_[r];
  if (!std::holds_alternative<Constant>(everywhere_[r])) values_[r] = value;
}

}  // namespace quadpair::emulator
