#include "tests/device/ptx/lane_interpreter.hpp"

#include <cstring>

namespace quadpair::ptx {
namespace {

/// Bytes of one lane; 0 for a predicate, which is a bit of one mask.
std::size_t lane_bytes(RegisterClass cls) {
  switch (cls) {
    case RegisterClass::predicate: return 0;
    case RegisterClass::b16: return 2;
    case RegisterClass::b32: return 4;
    case RegisterClass::b64: return 8;
  }
  return 0;
}

}  // namespace

const std::vector<std::vector<std::uint64_t>>& LaneInterpreter::run(std::uint32_t seed) {
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < lanes * steps_of_a_lane; ++i) step(random() % lanes);
  return stored_;
}

void LaneInterpreter::step(std::size_t lane) {
  if (place_[lane] >= entry_.instructions.size()) return;
  const Instruction& instruction = entry_.instructions[place_[lane]++];
  if (instruction.guard >= 0 && (read_register(instruction.guard, lane) != 0) == instruction.guard_negated)
    return;
  execute(instruction, lane);
}

void LaneInterpreter::execute(const Instruction& instruction, std::size_t lane) {
  const std::string name = instruction.mnemonic.substr(0, instruction.mnemonic.find('.'));
  const std::vector<Operand>& operands = instruction.operands;
  if (name == "bra") {
    place_[lane] = operands[0].value;
  } else if (name == "st") {
    stored_[lane].push_back(read(operands[1], lane));
  } else if (name == "mov") {
    write(operands[0], lane, read(operands[1], lane));
  } else if (name == "add") {
    write(operands[0], lane, read(operands[1], lane) + read(operands[2], lane));
  } else if (name == "set") {
    write(operands[0], lane, (read(operands[1], lane) >> 1) & 1);
  } else {
    write(operands[0].elements[0], lane, read(operands[1], lane) + 1);
    write(operands[0].elements[1], lane, 3 * read(operands[1], lane));
  }
}

std::uint64_t LaneInterpreter::read(const Operand& operand, std::size_t lane) const {
  if (operand.kind == OperandKind::special) return lane;
  return operand.kind == OperandKind::reg ? read_register(operand.reg, lane) : operand.value;
}

std::uint64_t LaneInterpreter::read_register(int reg, std::size_t lane) const {
  const auto index = static_cast<std::size_t>(reg);
  if (!written_[lane][index]) return 0;
  const std::size_t bytes = lane_bytes(entry_.registers[index].cls);
  std::uint64_t value = 0;
  if (bytes != 0) {
    std::memcpy(&value, &file_[slots_.offset[index] + lane * bytes], bytes);
    return value;
  }
  std::memcpy(&value, &file_[slots_.offset[index]], 4);
  return (value >> lane) & 1;
}

void LaneInterpreter::write(const Operand& operand, std::size_t lane, std::uint64_t value) {
  const auto index = static_cast<std::size_t>(operand.reg);
  written_[lane][index] = true;
  std::uint8_t* const slot = &file_[slots_.offset[index]];
  const std::size_t bytes = lane_bytes(entry_.registers[index].cls);
  if (bytes != 0) {
    std::memcpy(slot + lane * bytes, &value, bytes);
    return;
  }
  std::uint32_t mask = 0;
  std::memcpy(&mask, slot, 4);
  mask = (mask & ~(1u << lane)) | (static_cast<std::uint32_t>(value & 1) << lane);
  std::memcpy(slot, &mask, 4);
}

}  // namespace quadpair::ptx
