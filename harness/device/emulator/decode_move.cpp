// mov, cvta and cvt between integers.
#include <fmt/format.h>

#include <optional>

#include "harness/device/emulator/emitter.hpp"
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/special.hpp"

namespace quadpair::emulator {
namespace {

/// 0, 1, 2 for registers of 16, 32 and 64 bits.
std::size_t by_width(std::uint8_t width) {
  return width == 16 ? 0 : width == 32 ? 1 : 2;
}

const Handlers& vector_handlers(const Emitter& emitter, bool packing, std::size_t elements,
                                std::uint8_t width) {
  const Utilities& u = emitter.table().utilities();
  if (elements == 2 && width == 32) return packing ? u.pack_2x16 : u.unpack_2x16;
  if (elements == 2 && width == 64) return packing ? u.pack_2x32 : u.unpack_2x32;
  if (elements == 4 && width == 64) return packing ? u.pack_4x16 : u.unpack_4x16;
  emitter.refuse(fmt::format("no mov between {} elements and {} bits", elements, width));
}

void emit_pack(Emitter& emitter, const ptx::Operand& to, const ptx::Operand& from) {
  const std::uint8_t width = emitter.register_width(to);
  const std::size_t count = from.elements.size();
  const Handlers& handlers = vector_handlers(emitter, true, count, width);
  const auto part = static_cast<std::uint8_t>(width / count);
  Instruction pack{.d = emitter.register_offset(to, width)};
  std::uint32_t* const fields[] = {&pack.a, &pack.b, &pack.c, &pack.e};
  for (std::size_t i = 0; i < count; ++i) *fields[i] = emitter.source_offset(from.elements[i], part);
  emitter.emit(handlers, pack);
}

void emit_unpack(Emitter& emitter, const ptx::Operand& to, const ptx::Operand& from) {
  const std::uint8_t width = emitter.register_width(from);
  const std::size_t count = to.elements.size();
  const Handlers& handlers = vector_handlers(emitter, false, count, width);
  std::vector<std::uint32_t> offsets;
  for (const ptx::Operand& element : to.elements)
    offsets.push_back(emitter.register_offset(element, static_cast<std::uint8_t>(width / count)));
  emitter.emit(handlers,
               {.a = emitter.register_offset(from, width), .list = emitter.list(std::move(offsets))});
}

struct IntegerType {
  bool is_signed;
  unsigned bits;
};

std::optional<IntegerType> integer_type(std::string_view name) {
  for (const unsigned bits : {8u, 16u, 32u, 64u})
    for (const char letter : {'u', 's', 'b'})
      if (name == fmt::format("{}{}", letter, bits)) return IntegerType{letter == 's', bits};
  return std::nullopt;
}

}  // namespace

Kind decode_move(Emitter& emitter) {
  const ptx::Instruction& instruction = emitter.current();
  const Utilities& utilities = emitter.table().utilities();
  if (instruction.operands.size() != 2) emitter.refuse("two operands are wanted");
  const ptx::Operand& to = instruction.operands[0];
  const ptx::Operand& from = instruction.operands[1];
  if (from.kind == ptx::OperandKind::vector) {
    emit_pack(emitter, to, from);
    return Kind::move;
  }
  if (to.kind == ptx::OperandKind::vector) {
    emit_unpack(emitter, to, from);
    return Kind::move;
  }
  const std::uint8_t width = emitter.register_width(to);
  Instruction move{.d = emitter.register_offset(to, width)};
  if (from.kind == ptx::OperandKind::special) {
    const std::optional<SpecialRegister> special = special_register(from.name);
    if (!special) emitter.refuse("special register " + from.name + " is not supported");
    if (width != 32) emitter.refuse("special registers have 32 bits");
    move.immediate = static_cast<std::uint64_t>(*special);
    emitter.emit(utilities.special, move);
  } else if (width == 1) {
    move.a = emitter.source_offset(from, 1);
    emitter.emit(utilities.copy_predicate, move);
  } else if (from.kind == ptx::OperandKind::reg) {
    move.a = emitter.register_offset(from, width);
    emitter.emit(utilities.copy[by_width(width)], move);
  } else if (from.kind == ptx::OperandKind::immediate || from.kind == ptx::OperandKind::symbol) {
    move.immediate = from.value;
    emitter.emit(utilities.constant[by_width(width)], move);
  } else {
    emitter.refuse("operand of an unknown kind");
  }
  return Kind::move;
}

Kind decode_address_conversion(Emitter& emitter) {
  const ptx::Instruction& instruction = emitter.current();
  const std::string_view mnemonic = instruction.mnemonic;
  if (instruction.operands.size() != 2) emitter.refuse("two operands are wanted");
  Instruction convert{.d = emitter.register_offset(instruction.operands[0], 64),
                      .a = emitter.source_offset(instruction.operands[1], 64)};
  if (mnemonic == "cvta.to.global.u64" || mnemonic == "cvta.global.u64") {
    emitter.emit(emitter.table().utilities().copy[2], convert);
  } else if (mnemonic == "cvta.shared.u64" || mnemonic == "cvta.to.shared.u64") {
    convert.immediate = mnemonic == "cvta.shared.u64" ? kSharedWindow : -kSharedWindow;
    emitter.emit(emitter.table().find("add.u64")->immediate, convert);
  } else {
    emitter.refuse(std::string(refusal_reason(mnemonic)));
  }
  return Kind::move;
}

Kind decode_integer_conversion(Emitter& emitter) {
  const ptx::Instruction& instruction = emitter.current();
  const std::vector<std::string_view> parts = ptx::parts_of(instruction.mnemonic);
  const auto to = parts.size() == 3 ? integer_type(parts[1]) : std::nullopt;
  const auto from = parts.size() == 3 ? integer_type(parts[2]) : std::nullopt;
  if (!to || !from) emitter.refuse(std::string(refusal_reason(instruction.mnemonic)));
  if (instruction.operands.size() != 2) emitter.refuse("two operands are wanted");
  const std::uint8_t to_width = emitter.register_width(instruction.operands[0]);
  const std::uint8_t from_width = instruction.operands[1].kind == ptx::OperandKind::reg
                                      ? emitter.register_width(instruction.operands[1])
                                      : static_cast<std::uint8_t>(from->bits == 8 ? 16 : from->bits);
  // The value has the bits of the narrower type; what lies above repeats its sign where it has one. A
  // register wider than the type would need both extensions in turn, and the compiler never asks for that.
  const IntegerType value = to->bits <= from->bits ? *to : *from;
  const bool twice = to->bits > from->bits && to_width > to->bits && from->is_signed != to->is_signed;
  const Opcode* opcode =
      twice || to_width < to->bits || from_width < from->bits
          ? nullptr
          : find_element(
                integer_conversions(),
                fmt::format("{}{}", value.is_signed && value.bits < to_width ? 's' : 'u', value.bits),
                to_width, from_width);
  if (opcode == nullptr) emitter.refuse("no such conversion between these registers");
  emitter.emit(opcode->registers, {.d = emitter.register_offset(instruction.operands[0], to_width),
                                   .a = emitter.source_offset(instruction.operands[1], from_width)});
  return Kind::convert;
}

}  // namespace quadpair::emulator
