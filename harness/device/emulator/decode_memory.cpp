// ld and st: the mnemonic's parts, the address, the registers.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/device/emulator/emitter.hpp"
#include "harness/device/emulator/memory.hpp"
#include "harness/device/emulator/opcodes/opcodes.hpp"

namespace quadpair::emulator {
namespace {

/// What a mnemonic says.
struct Words {
  bool store = false;
  Space space = Space::generic;
  std::string count;  ///< "", "v2." or "v4."
  char letter = 'u';  ///< of the element's type: signed loads extend the sign
  unsigned bits = 0;
};

/// Caching and ordering that change no value here: a block's accesses happen in program order.
bool is_hint(std::string_view part) {
  constexpr std::array<std::string_view, 11> hints = {"nc", "ca", "cg",       "cs",   "lu", "cv",
                                                      "wb", "wt", "volatile", "weak", "cta"};
  return std::ranges::find(hints, part) != hints.end() || part.starts_with("L1::") ||
         (part.starts_with("L2::") && part != "L2::cache_hint");
}

Words parse_words(const Emitter& emitter) {
  const std::vector<std::string_view> parts = ptx::parts_of(emitter.current().mnemonic);
  Words access;
  access.store = parts[0] == "st";
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    if (part == "global")
      access.space = Space::global;
    else if (part == "shared" || part == "shared::cta")
      access.space = Space::shared;
    else if (part == "param")
      access.space = Space::parameter;
    else if (part == "v2" || part == "v4")
      access.count = std::string(part) + ".";
    else if (i + 1 == parts.size() && part.size() > 1 &&
             std::string_view("busf").find(part[0]) != std::string_view::npos) {
      access.letter = part[0] == 's' ? 's' : 'u';
      for (const unsigned bits : {8u, 16u, 32u, 64u})
        if (part.substr(1) == std::to_string(bits)) access.bits = bits;
    } else if (!is_hint(part)) {
      emitter.refuse(std::string(refusal_reason(emitter.current().mnemonic)));
    }
  }
  if (access.bits == 0) emitter.refuse(std::string(refusal_reason(emitter.current().mnemonic)));
  return access;
}

Kind kind_of(const Words& access) {
  switch (access.space) {
    case Space::global: return access.store ? Kind::store_global : Kind::load_global;
    case Space::shared: return access.store ? Kind::store_shared : Kind::load_shared;
    case Space::parameter: return Kind::load_param;
    case Space::generic: break;
  }
  return access.store ? Kind::store_generic : Kind::load_generic;
}

std::span<const Opcode> family_of(const Words& access) {
  if (access.space == Space::shared) return access.store ? shared_stores() : shared_loads();
  return access.store ? global_stores() : global_loads();
}

/// A parameter that is read by name is the same for all lanes: each element is a constant of the launch. By a
/// register, each lane reads its own part of a struct.
void emit_parameter(Emitter& emitter, const Words& access, const ptx::Operand& operand,
                    const std::vector<ptx::Operand>& elements) {
  if (access.store) emitter.refuse("parameters are read only");
  const Address address = address_of(emitter, operand, false);
  const bool by_name = (address.flags & AccessFlags::no_register) != 0;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const std::uint8_t width = emitter.register_width(elements[k]);
    const std::uint64_t offset = address.displacement + k * access.bits / 8;
    const char letter = access.bits == width ? 'u' : access.letter;
    const Opcode* opcode = find_element(by_name ? parameter_loads() : indexed_parameter_loads(),
                                        fmt::format("{}{}", letter, access.bits), width, 1);
    if (opcode == nullptr) emitter.refuse("no such load into this register");
    if (by_name && offset + access.bits / 8 > emitter.kernel().parameter_bytes)
      emitter.refuse("outside the parameters");
    emitter.emit(opcode->registers,
                 {.d = emitter.register_offset(elements[k], width), .a = address.reg, .immediate = offset});
  }
}

}  // namespace

Address address_of(const Emitter& emitter, const ptx::Operand& operand, bool shared) {
  if (operand.kind != ptx::OperandKind::address) emitter.refuse("an address is wanted");
  if (operand.reg < 0) return {.displacement = operand.value, .flags = AccessFlags::no_register};
  ptx::Operand base;
  base.kind = ptx::OperandKind::reg;
  base.reg = operand.reg;
  const std::uint8_t width = emitter.register_width(base);
  const bool narrow = width == 32 && shared;
  if (!narrow && width != 64) emitter.refuse("the address register must have 64 bits");
  return {.reg = emitter.register_offset(base, width),
          .displacement = operand.value,
          .flags = narrow ? AccessFlags::narrow_address : 0};
}

Kind decode_memory(Emitter& emitter) {
  const Words access = parse_words(emitter);
  const std::vector<ptx::Operand>& operands = emitter.current().operands;
  if (operands.size() != 2) emitter.refuse("two operands are wanted");
  const ptx::Operand& address = operands[access.store ? 0 : 1];
  const ptx::Operand& value = operands[access.store ? 1 : 0];
  const std::vector<ptx::Operand> elements =
      value.kind == ptx::OperandKind::vector ? value.elements : std::vector{value};
  const std::size_t wanted = access.count.empty() ? 1 : static_cast<std::size_t>(access.count[1] - '0');
  if (elements.size() != wanted) emitter.refuse(fmt::format("{} registers are wanted", wanted));
  if (access.space == Space::parameter) {
    emit_parameter(emitter, access, address, elements);
    return Kind::load_param;
  }

  auto width = static_cast<std::uint8_t>(std::max(access.bits, 16u));
  for (const ptx::Operand& element : elements)
    if (element.kind == ptx::OperandKind::reg) width = emitter.register_width(element);
  const char letter = access.store || access.bits == width ? 'u' : access.letter;
  const Opcode* opcode =
      find_element(family_of(access), fmt::format("{}{}{}", access.count, letter, access.bits), width,
                   static_cast<std::uint8_t>(wanted));
  if (opcode == nullptr) emitter.refuse("no such access with these registers");

  const Address at = address_of(emitter, address, access.space == Space::shared);
  Instruction instruction;
  instruction.a = at.reg;
  instruction.immediate = at.displacement;
  instruction.e = at.flags | (access.store ? AccessFlags::store : 0) |
                  (access.space == Space::shared ? AccessFlags::shared : 0) |
                  (access.space == Space::generic ? AccessFlags::generic : 0);
  std::vector<std::uint32_t> offsets;
  offsets.reserve(elements.size());
  for (const ptx::Operand& element : elements)
    offsets.push_back(access.store ? emitter.source_offset(element, width)
                                   : emitter.register_offset(element, width));
  instruction.d = offsets[0];
  if (wanted > 1) instruction.list = emitter.list(offsets);
  Access observed{.space = access.space, .store = access.store};
  observed.bytes = static_cast<std::uint32_t>(wanted) * access.bits / 8;
  observed.result_bytes = width / 8u;
  if (!access.store) observed.results = std::move(offsets);
  emitter.emit_access(opcode->registers, instruction, std::move(observed));
  return kind_of(access);
}

}  // namespace quadpair::emulator
