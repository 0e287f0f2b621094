// Instructions whose operands are registers and constants, and those of the whole warp.
#include <fmt/format.h>

#include <algorithm>

#include "harness/device/emulator/emitter.hpp"
#include "harness/device/emulator/instruction.hpp"

namespace quadpair::emulator {
namespace {

Kind emit_plain(Emitter& emitter, const Opcode& opcode) {
  const std::vector<ptx::Operand>& operands = emitter.current().operands;
  std::size_t wanted = 0;
  while (wanted < opcode.widths.size() && opcode.widths[wanted] != 0) ++wanted;
  if (operands.size() != wanted) emitter.refuse(fmt::format("{} operands are wanted", wanted));
  Instruction instruction;
  std::uint32_t* const fields[] = {&instruction.d, &instruction.a, &instruction.b, &instruction.c,
                                   &instruction.e};
  instruction.d = emitter.register_offset(operands[0], opcode.widths[0]);
  Handlers handlers = opcode.registers;
  for (std::size_t i = 1; i < wanted; ++i) {
    const bool last = i + 1 == wanted;
    if (last && operands[i].kind == ptx::OperandKind::immediate && opcode.immediate.full != nullptr) {
      instruction.immediate = operands[i].value;
      handlers = opcode.immediate;
    } else {
      *fields[i] = emitter.source_offset(operands[i], opcode.widths[i]);
    }
  }
  emitter.emit(handlers, instruction);
  return opcode.kind;
}

/// setp.CMP.BOOL.TYPE d, a, b, c is setp.CMP.TYPE and then the predicates' operation; "p|q" gets the
/// comparison and its negation, each combined with c.
Kind emit_setp(Emitter& emitter) {
  const ptx::Instruction& instruction = emitter.current();
  const Utilities& utilities = emitter.table().utilities();
  std::string mnemonic = instruction.mnemonic;
  const Handlers* combine = nullptr;
  const std::pair<std::string_view, int> operations[] = {{".and.", 0}, {".or.", 1}, {".xor.", 2}};
  for (const auto& [name, index] : operations)
    if (const std::size_t at = mnemonic.find(name); at != std::string::npos) {
      mnemonic.erase(at, name.size() - 1);
      combine = &utilities.combine[index];
    }
  const Opcode* opcode = emitter.table().find(mnemonic);
  const std::vector<ptx::Operand>& operands = instruction.operands;
  if (opcode == nullptr) emitter.refuse(std::string(refusal_reason(mnemonic)));
  if (operands.size() != (combine != nullptr ? 4u : 3u)) emitter.refuse("wrong number of operands");

  const bool two = operands[0].kind == ptx::OperandKind::vector;
  if (two && operands[0].elements.size() != 2) emitter.refuse("two predicates are wanted");
  const bool alone = !two && combine == nullptr;
  Instruction compare;
  compare.d = alone ? emitter.register_offset(operands[0], 1) : emitter.new_slot();
  compare.a = emitter.source_offset(operands[1], opcode->widths[1]);
  const bool immediate = operands[2].kind == ptx::OperandKind::immediate && opcode->immediate.full != nullptr;
  if (immediate)
    compare.immediate = operands[2].value;
  else
    compare.b = emitter.source_offset(operands[2], opcode->widths[2]);
  emitter.emit(immediate ? opcode->immediate : opcode->registers, compare);

  if (alone) return Kind::compare;

  std::vector<std::uint32_t> results = {compare.d};
  if (two) {
    results.push_back(emitter.new_slot());
    emitter.emit(utilities.not_predicate, {.d = results[1], .a = results[0]});
  }
  if (combine != nullptr) {
    const std::uint32_t with = emitter.source_offset(operands[3], 1);
    for (const std::uint32_t result : results) emitter.emit(*combine, {.d = result, .a = result, .b = with});
  }
  for (std::size_t i = 0; i < results.size(); ++i)
    emitter.emit(
        utilities.copy_predicate,
        {.d = emitter.register_offset(two ? operands[0].elements[i] : operands[0], 1), .a = results[i]});
  return Kind::compare;
}

/// The barrier's number and, where not the whole block takes part, its number of threads.
void emit_barrier(Emitter& emitter) {
  const std::vector<ptx::Operand>& operands = emitter.current().operands;
  if (operands.empty() || operands.size() > 2) emitter.refuse("a barrier and a number of threads are wanted");
  const bool constant = std::ranges::all_of(
      operands, [](const ptx::Operand& each) { return each.kind == ptx::OperandKind::immediate; });
  Instruction barrier{.c = constant ? 1u : 0u};
  if (constant) {
    barrier.a = static_cast<std::uint32_t>(operands[0].value);
    barrier.b = operands.size() == 2 ? static_cast<std::uint32_t>(operands[1].value) : 0;
  } else {
    barrier.a = emitter.source_offset(operands[0], 32);
    barrier.b = operands.size() == 2 ? emitter.source_offset(operands[1], 32) : emitter.constant(0, 32);
  }
  emitter.emit(emitter.table().utilities().barrier, barrier);
}

/// d, a, b, c as vectors of 32-bit registers; listed as reference::WarpMma wants them: d, c, a, b.
void emit_mma(Emitter& emitter, const Opcode& opcode) {
  const std::vector<ptx::Operand>& operands = emitter.current().operands;
  if (operands.size() != 4) emitter.refuse("four operands are wanted");
  std::vector<std::uint32_t> offsets;
  for (const std::size_t i : {0u, 3u, 1u, 2u}) {
    // Registers of each fragment, in the opcode's widths.
    if (operands[i].kind != ptx::OperandKind::vector || operands[i].elements.size() != opcode.widths[i])
      emitter.refuse(fmt::format("operand {} must have {} registers", i, opcode.widths[i]));
    for (const ptx::Operand& element : operands[i].elements)
      offsets.push_back(i == 0 ? emitter.register_offset(element, 32) : emitter.source_offset(element, 32));
  }
  emitter.emit(opcode.registers, {.list = emitter.list(std::move(offsets))});
}

/// d or d|p, then the value, the lane or delta, the clamp and the members' mask.
void emit_shuffle(Emitter& emitter, const Opcode& opcode) {
  const std::vector<ptx::Operand>& operands = emitter.current().operands;
  if (operands.size() != 5) emitter.refuse("five operands are wanted");
  const bool two = operands[0].kind == ptx::OperandKind::vector;
  if (two && operands[0].elements.size() != 2) emitter.refuse("a register and a predicate are wanted");
  Instruction shuffle;
  shuffle.d = emitter.register_offset(two ? operands[0].elements[0] : operands[0], 32);
  shuffle.a = emitter.source_offset(operands[1], 32);
  shuffle.b = emitter.source_offset(operands[2], 32);
  shuffle.c = emitter.source_offset(operands[3], 32);
  shuffle.e = emitter.source_offset(operands[4], 32);
  shuffle.site = two ? emitter.register_offset(operands[0].elements[1], 1) : emitter.new_slot();
  emitter.emit(opcode.registers, shuffle);
}

}  // namespace

std::uint64_t immediate_operand(const Emitter& emitter, std::size_t index) {
  const std::vector<ptx::Operand>& operands = emitter.current().operands;
  if (index >= operands.size() || operands[index].kind != ptx::OperandKind::immediate)
    emitter.refuse(fmt::format("operand {} must be a constant", index));
  return operands[index].value;
}

Kind decode_instruction(Emitter& emitter) {
  const ptx::Instruction& instruction = emitter.current();
  const std::string_view mnemonic = instruction.mnemonic;
  const std::string_view name = mnemonic.substr(0, mnemonic.find('.'));
  if (name == "mov") return decode_move(emitter);
  if (name == "cvta") return decode_address_conversion(emitter);
  if (name == "ld" || name == "ldu" || name == "st") return decode_memory(emitter);
  if (name == "cp") return decode_async_copy(emitter);
  if (name == "ldmatrix") return decode_matrix_load(emitter);
  if (name == "wgmma") return decode_warpgroup(emitter);
  if (mnemonic.starts_with("fence.proxy.async")) return decode_proxy_fence(emitter);
  if (mnemonic == "bar.arrive" || mnemonic == "barrier.arrive.aligned") return decode_arrive(emitter);
  if (name == "setp") return emit_setp(emitter);
  const Opcode* opcode = emitter.table().find(mnemonic);
  if (opcode == nullptr && name == "cvt") return decode_integer_conversion(emitter);
  if (opcode == nullptr) emitter.refuse(std::string(refusal_reason(mnemonic)));
  switch (opcode->form) {
    case Form::plain: return emit_plain(emitter, *opcode);
    case Form::nothing: break;
    case Form::wait_for_grid: emitter.emit_when_watched(&Observers::wait_for_grid, {}); break;
    case Form::release_grid: emitter.emit_when_watched(&Observers::release_grid, {}); break;
    case Form::barrier: emit_barrier(emitter); break;
    case Form::member_mask:
      if (instruction.operands.size() != 1) emitter.refuse("one operand is wanted");
      emitter.emit(opcode->registers, {.a = emitter.source_offset(instruction.operands[0], 32)});
      emitter.emit_when_watched(&Observers::warp_barrier, {});
      break;
    case Form::mma: emit_mma(emitter, *opcode); break;
    case Form::shuffle: emit_shuffle(emitter, *opcode); break;
    case Form::fields: emit_fields(emitter, *opcode); break;
    case Form::constants: emit_constants(emitter); break;
  }
  return opcode->kind;
}

}  // namespace quadpair::emulator
