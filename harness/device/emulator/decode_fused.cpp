// Instructions that the fusion makes: their operands are registers and constants in turn.
#include <array>

#include "harness/device/emulator/emitter.hpp"

namespace quadpair::emulator {

/// d, then of each field the register, rotation and mask, then other sources.
void emit_fields(Emitter& emitter, const Opcode& opcode) {
  const std::vector<ptx::Operand>& operands = emitter.current().operands;
  Instruction fields{.d = emitter.register_offset(operands[0], 32)};
  std::array<std::uint32_t, 3> sources{};
  std::size_t count = 0;
  std::vector<std::uint32_t> parts;
  for (std::size_t i = 1; i < operands.size(); ++i) {
    sources.at(count++) = emitter.source_offset(operands[i], 32);
    const bool field = i + 2 < operands.size() && operands[i + 1].kind == ptx::OperandKind::immediate &&
                       operands[i + 2].kind == ptx::OperandKind::immediate;
    if (!field) continue;
    for (const std::size_t part : {i + 1, i + 2})
      parts.push_back(static_cast<std::uint32_t>(operands[part].value));
    i += 2;
  }
  fields.a = sources[0];
  fields.b = sources[1];
  fields.c = sources[2];
  fields.immediate = std::uint64_t{parts[0]} << 32 | parts[1];
  fields.list = emitter.list(std::move(parts));
  emitter.emit(opcode.registers, fields);
}

void emit_constants(Emitter& emitter, std::vector<std::uint32_t> offsets, std::uint64_t value) {
  const auto count = static_cast<std::uint32_t>(offsets.size());
  emitter.emit(emitter.table().find("mov+many")->registers,
               {.c = count, .immediate = value, .list = emitter.list(std::move(offsets))});
}

/// A vector of registers, and what each of them gets.
void emit_constants(Emitter& emitter) {
  const std::vector<ptx::Operand>& operands = emitter.current().operands;
  std::vector<std::uint32_t> offsets;
  for (const ptx::Operand& element : operands[0].elements)
    offsets.push_back(emitter.register_offset(element, 32));
  emit_constants(emitter, std::move(offsets), operands[1].value);
}

}  // namespace quadpair::emulator
