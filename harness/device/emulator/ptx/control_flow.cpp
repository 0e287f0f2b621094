#include <algorithm>
#include <string_view>

#include "harness/device/emulator/ptx/analysis.hpp"
#include "harness/device/emulator/ptx/post_dominators.hpp"

namespace quadpair::ptx {
namespace {

std::string_view opcode(const Instruction& instruction) {
  return std::string_view(instruction.mnemonic).substr(0, instruction.mnemonic.find('.'));
}

bool is_branch(const Instruction& instruction) {
  return opcode(instruction) == "bra";
}

bool is_return(const Instruction& instruction) {
  const std::string_view name = opcode(instruction);
  return name == "ret" || name == "exit" || name == "trap";
}

/// The instruction that a branch goes to; the entry's end where it is no label.
std::uint32_t target(const Entry& entry, const Instruction& branch) {
  for (const Operand& operand : branch.operands)
    if (operand.kind == OperandKind::label) return static_cast<std::uint32_t>(operand.value);
  return static_cast<std::uint32_t>(entry.instructions.size());
}

/// For each instruction, whether a block begins there.
std::vector<bool> leaders(const Entry& entry) {
  const std::size_t count = entry.instructions.size();
  std::vector<bool> leads(count + 1);
  leads[0] = true;
  for (std::size_t i = 0; i < count; ++i) {
    const Instruction& instruction = entry.instructions[i];
    if (is_branch(instruction)) leads[target(entry, instruction)] = true;
    if (is_branch(instruction) || is_return(instruction)) leads[i + 1] = true;
  }
  return leads;
}

/// Adds what follows `block`; true if the entry may end there.
bool connect(const Entry& entry, ControlFlow& flow, Block& block) {
  const auto count = static_cast<std::uint32_t>(entry.instructions.size());
  const Instruction& last = entry.instructions[block.end - 1];
  bool ends = false;
  const auto add = [&](std::uint32_t instruction) {
    if (instruction == count) {
      ends = true;
    } else {
      const std::uint32_t to = flow.block_of[instruction];
      if (block.successors.empty() || block.successors[0] != to) block.successors.push_back(to);
    }
  };
  const bool leaves = is_branch(last) || is_return(last);
  if (!leaves || last.guard >= 0) add(block.end);
  if (is_branch(last)) add(target(entry, last));
  return ends || is_return(last);
}

}  // namespace

ControlFlow control_flow(const Entry& entry) {
  ControlFlow flow;
  const auto count = static_cast<std::uint32_t>(entry.instructions.size());
  const std::vector<bool> leads = leaders(entry);
  flow.block_of.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (leads[i]) flow.blocks.push_back({i, i, {}});
    flow.blocks.back().end = i + 1;
    flow.block_of[i] = static_cast<std::uint32_t>(flow.blocks.size()) - 1;
  }
  std::vector<bool> ends;
  for (Block& block : flow.blocks) ends.push_back(connect(entry, flow, block));
  flow.post_dominator = post_dominators(flow.blocks, ends);
  return flow;
}

}  // namespace quadpair::ptx
