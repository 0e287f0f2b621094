#include "harness/device/emulator/ptx/dataflow.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace quadpair::ptx {
namespace {

/// Instructions by first part of the mnemonic that write no register.
constexpr std::array<std::string_view, 26> without_destination = {
    "applypriority",  "bar",         "barrier",  "bra",       "brkpt", "brx",
    "call",           "cp",          "discard",  "exit",      "fence", "membar",
    "nanosleep",      "pmevent",     "prefetch", "prefetchu", "red",   "ret",
    "setmaxnreg",     "st",          "stmatrix", "sured",     "sust",  "trap",
    "griddepcontrol", "stackrestore"};

bool has_part(std::string_view mnemonic, std::string_view part) {
  for (std::size_t dot = mnemonic.find('.'); dot != std::string_view::npos;) {
    const std::size_t next = mnemonic.find('.', dot + 1);
    if (mnemonic.substr(dot + 1, next - dot - 1) == part) return true;
    dot = next;
  }
  return false;
}

bool has_destination(std::string_view mnemonic) {
  const std::string_view first = mnemonic.substr(0, mnemonic.find('.'));
  if (first == "bar" || first == "barrier") return has_part(mnemonic, "red");
  return std::find(without_destination.begin(), without_destination.end(), first) ==
         without_destination.end();
}

void add_once(std::vector<int>& registers, int reg) {
  if (std::find(registers.begin(), registers.end(), reg) == registers.end()) registers.push_back(reg);
}

void add_registers(std::vector<int>& registers, const Operand& operand) {
  if (operand.reg >= 0) add_once(registers, operand.reg);
  for (const Operand& element : operand.elements) add_registers(registers, element);
}

}  // namespace

void fill_dataflow(Instruction& instruction) {
  const bool writes = has_destination(instruction.mnemonic);
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const Operand& operand = instruction.operands[i];
    const bool written =
        writes && i == 0 && (operand.kind == OperandKind::reg || operand.kind == OperandKind::vector);
    add_registers(written ? instruction.defs : instruction.uses, operand);
    // Sums are one operand, read and written.
    if (written && instruction.mnemonic.starts_with("wgmma.mma_async"))
      add_registers(instruction.uses, operand);
  }
  if (instruction.guard >= 0) add_once(instruction.uses, instruction.guard);
}

}  // namespace quadpair::ptx
