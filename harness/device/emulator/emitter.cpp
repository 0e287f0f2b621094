#include "harness/device/emulator/emitter.hpp"

#include <fmt/format.h>

#include "harness/device/device.hpp"

namespace quadpair::emulator {

void Emitter::refuse(const std::string& why) const {
  throw device::Fault(fmt::format("module {}, entry {}, PTX line {}: {}: '{}'", kernel_.module, entry_.name,
                                  current().ptx_line, why, current().text));
}

std::uint32_t Emitter::emit(const Handlers& handlers, const Instruction& instruction) {
  Instruction placed = instruction;
  placed.index = next();
  placed.handler = handlers.full;
  kernel_.full.push_back(placed);
  placed.handler = handlers.masked;
  kernel_.masked.push_back(placed);
  kernel_.source.push_back(static_cast<std::uint32_t>(line_));
  return placed.index;
}

void Emitter::emit_access(const Handlers& handlers, const Instruction& instruction, Access access) {
  Instruction placed = instruction;
  placed.site = static_cast<std::uint32_t>(kernel_.accesses.size());
  kernel_.accesses.push_back(std::move(access));
  if (observes_accesses(kernel_.observation)) emit(observers_.access, placed);
  emit(handlers, placed);
  emit_when_watched(&Observers::rejoin, {});
}

void Emitter::emit_copy(const Handlers& handlers, const Instruction& instruction, std::uint32_t bytes) {
  Instruction placed = instruction;
  placed.site = static_cast<std::uint32_t>(kernel_.accesses.size());
  kernel_.accesses.push_back({.space = Space::global, .bytes = bytes});
  kernel_.accesses.push_back({.space = Space::shared, .store = true, .bytes = bytes});
  if (observes_accesses(kernel_.observation))
    emit(bytes == 4 ? observers_.copy4 : bytes == 8 ? observers_.copy8 : observers_.copy16, placed);
  emit(handlers, placed);
  emit_when_watched(&Observers::rejoin, {});
}

void Emitter::emit_when_watched(Handlers Observers::*handlers, const Instruction& instruction) {
  if (kernel_.observation == Observation::faults) emit(observers_.*handlers, instruction);
}

std::uint8_t Emitter::register_width(const ptx::Operand& operand) const {
  if (operand.kind != ptx::OperandKind::reg) refuse("a register is wanted");
  return width_of(entry_.registers[static_cast<std::size_t>(operand.reg)].cls);
}

std::uint32_t Emitter::register_offset(const ptx::Operand& operand, std::uint8_t width) const {
  if (operand.kind != ptx::OperandKind::reg) refuse("a register is wanted");
  return register_offset(operand.reg, width);
}

std::uint32_t Emitter::register_offset(int reg, std::uint8_t width) const {
  const ptx::Register& found = entry_.registers[static_cast<std::size_t>(reg)];
  if (width_of(found.cls) != width)
    refuse(fmt::format("register {} has {} bits, not {}", found.name, width_of(found.cls), width));
  return slots_.offset[static_cast<std::size_t>(reg)];
}

std::uint32_t Emitter::source_offset(const ptx::Operand& operand, std::uint8_t width) {
  switch (operand.kind) {
    case ptx::OperandKind::immediate:
    case ptx::OperandKind::symbol: return constant(operand.value, width);
    case ptx::OperandKind::reg: break;
    default: refuse("operand of an unknown kind");
  }
  const std::uint32_t offset = register_offset(operand, width);
  if (!operand.negated) return offset;
  const std::uint32_t slot = new_slot();
  emit(table_.utilities().not_predicate, {.d = slot, .a = offset});
  return slot;
}

std::uint32_t Emitter::new_slot() {
  const std::uint32_t offset = (kernel_.file_bytes + 63) / 64 * 64;
  kernel_.file_bytes = offset + kWarpLanes * 8;
  return offset;
}

std::uint32_t Emitter::constant(std::uint64_t value, std::uint8_t width) {
  if (width < 64) value &= (std::uint64_t{1} << width) - 1;
  for (const FilledSlot& slot : kernel_.constants)
    if (slot.value == value && slot.width == width) return slot.offset;
  kernel_.constants.push_back({new_slot(), width, value});
  return kernel_.constants.back().offset;
}

const std::uint32_t* Emitter::list(std::vector<std::uint32_t> offsets) {
  kernel_.lists.push_back(std::move(offsets));
  return kernel_.lists.back().data();
}

}  // namespace quadpair::emulator
