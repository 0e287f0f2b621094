#include "harness/device/emulator/trace/access_shape.hpp"

#include <charconv>

#include "harness/device/emulator/emitter.hpp"

namespace quadpair::emulator {

AccessShape access_of(const ptx::Instruction& instruction) {
  const std::vector<std::string_view> parts = ptx::parts_of(instruction.mnemonic);
  AccessShape access;
  if (parts[0] == "cp" && instruction.operands.size() >= 3) {
    access.space = AccessShape::Space::shared;
    access.copy = true;
    access.elements = 1;
    access.element = static_cast<std::uint32_t>(instruction.operands[2].value);
    return access;
  }
  if (parts[0] != "ld" && parts[0] != "st") return access;
  access.space = AccessShape::Space::global;
  access.store = parts[0] == "st";
  access.elements = 1;
  for (const std::string_view part : parts) {
    if (part == "shared" || part == "shared::cta") access.space = AccessShape::Space::shared;
    if (part == "param") access.space = AccessShape::Space::parameter;
    if (part == "v2") access.elements = 2;
    if (part == "v4") access.elements = 4;
  }
  std::uint32_t bits = 0;
  const std::string_view type = parts.back();
  std::from_chars(type.data() + 1, type.data() + type.size(), bits);
  access.element = bits / 8;
  return access;
}

bool accesses_memory(const ptx::Instruction& instruction) {
  const AccessShape::Space space = access_of(instruction).space;
  return space == AccessShape::Space::global || space == AccessShape::Space::shared;
}

std::vector<int> captured_before(const ptx::Instruction& instruction) {
  const AccessShape access = access_of(instruction);
  std::vector<int> registers;
  const auto add = [&](std::size_t operand) {
    if (operand < instruction.operands.size() && instruction.operands[operand].reg >= 0)
      registers.push_back(instruction.operands[operand].reg);
  };
  if (!access.copy) {
    add(access.store ? 0 : 1);
  } else {
    for (const std::size_t operand : {0u, 1u, 3u}) add(operand);
  }
  return registers;
}

}  // namespace quadpair::emulator
