#include "harness/device/emulator/fuse/fuse.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "harness/device/emulator/fuse/known_values.hpp"
#include "harness/device/emulator/fuse/rewrite.hpp"
#include "harness/device/emulator/ptx/liveness.hpp"

namespace quadpair::emulator {
namespace {

/// Instructions that do nothing but define a register: useless when nobody reads it.
bool only_defines(const ptx::Instruction& instruction) {
  constexpr std::array<std::string_view, 6> names = {"mov.", "shl.", "shr.", "and.b", "add.", "mul.wide."};
  return instruction.guard < 0 &&
         (instruction.mnemonic == "field+" || std::ranges::any_of(names, [&](std::string_view name) {
            return instruction.mnemonic.starts_with(name);
          }));
}

bool sets_constant32(const ptx::Instruction& instruction) {
  return sets_constant(instruction) && instruction.mnemonic.ends_with("32");
}

class Fuser {
 public:
  Fuser(const ptx::Entry& entry, const ptx::ControlFlow& flow) : flow_(flow) {
    fused_.entry = entry;
    fused_.instructions.resize(entry.instructions.size());
    for (std::uint32_t i = 0; i < entry.instructions.size(); ++i) fused_.instructions[i].origin = i;
    kept_.assign(entry.instructions.size(), true);
  }

  FusedEntry fuse(const UndefinedRegisters& undefined, const OpcodeTable& table) {
    Rewriter(fused_.entry, undefined, table).rewrite(flow_);
    if (undefined.watched) watched_.insert(undefined.numbers.begin(), undefined.numbers.end());
    drop_useless();
    for (const ptx::Block& block : flow_.blocks) {
      for (std::uint32_t i = block.first; i < block.end; ++i)
        if (kept_[i]) take_otherwise(block, i);
      gather_constants(block);
    }
    close_gaps();
    return std::move(fused_);
  }

 private:
  std::vector<ptx::Instruction>& instructions() { return fused_.entry.instructions; }

  /// Definitions that nobody reads; a block keeps its last instruction.
  void drop_useless() {
    const ptx::Liveness liveness = ptx::liveness(fused_.entry, flow_);
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b) {
      const ptx::Block& block = flow_.blocks[b];
      std::vector<bool> live(fused_.entry.registers.size());
      for (std::size_t r = 0; r < live.size(); ++r) live[r] = liveness.out.of(b)[r / 64] >> (r % 64) & 1;
      for (std::uint32_t i = block.end; i-- > block.first;) {
        const ptx::Instruction& instruction = instructions()[i];
        const auto is_live = [&](int reg) { return live[static_cast<std::size_t>(reg)]; };
        if (i + 1 != block.end && only_defines(instruction) && may_change(instruction) &&
            std::ranges::none_of(instruction.defs, is_live)) {
          kept_[i] = false;
          continue;
        }
        if (instruction.guard < 0)
          for (const int reg : instruction.defs) live[static_cast<std::size_t>(reg)] = false;
        for (const int reg : instruction.uses) live[static_cast<std::size_t>(reg)] = true;
      }
    }
  }

  /// A guarded load whose registers all got one constant before: the constant is what the other lanes get.
  void take_otherwise(const ptx::Block& block, std::uint32_t i) {
    ptx::Instruction& load = instructions()[i];
    if (load.guard < 0 || !load.mnemonic.starts_with("ld.") || load.operands.size() != 2 || !may_change(load))
      return;
    std::set<int> missing(load.defs.begin(), load.defs.end());
    std::vector<std::uint32_t> constants;
    for (std::uint32_t j = i; !missing.empty(); --j) {
      if (j == block.first) return;
      const ptx::Instruction& before = instructions()[j - 1];
      if (!kept_[j - 1]) continue;
      const auto touches = [&](int reg) {
        return std::ranges::count(before.defs, reg) + std::ranges::count(before.uses, reg) != 0;
      };
      if (sets_constant32(before) && missing.erase(before.defs[0]) != 0) {
        constants.push_back(j - 1);
        if (before.operands[1].value != instructions()[constants[0]].operands[1].value) return;
      } else if (std::ranges::any_of(load.defs, touches)) {
        return;
      }
    }
    fused_.instructions[i].otherwise = {load.guard, load.guard_negated,
                                        instructions()[constants[0]].operands[1].value};
    load.guard = -1;  // all lanes get a value; the predicate stays among the uses
    for (const std::uint32_t constant : constants) kept_[constant] = false;
  }

  /// Registers that get the same constant one after another get it at once.
  void gather_constants(const ptx::Block& block) {
    ptx::Instruction* first = nullptr;
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      if (!kept_[i]) continue;
      ptx::Instruction& instruction = instructions()[i];
      const bool constant = sets_constant32(instruction) && may_change(instruction);
      if (!constant || i + 1 == block.end || first == nullptr ||
          first->operands[1].value != instruction.operands[1].value) {
        first = constant ? &instruction : nullptr;
        continue;
      }
      if (first->operands[0].kind != ptx::OperandKind::vector) {
        first->mnemonic = "mov+many";
        const ptx::Operand destination = first->operands[0];
        first->operands[0] = {};
        first->operands[0].kind = ptx::OperandKind::vector;
        first->operands[0].elements = {destination};
      }
      first->operands[0].elements.push_back(instruction.operands[0]);
      first->defs.push_back(instruction.operands[0].reg);
      kept_[i] = false;
    }
  }

  void close_gaps() {
    std::vector<std::uint64_t> places(instructions().size() + 1);
    std::size_t count = 0;
    for (std::size_t i = 0; i < instructions().size(); ++i) {
      places[i] = count;
      if (!kept_[i]) continue;
      if (count != i) {
        instructions()[count] = std::move(instructions()[i]);
        fused_.instructions[count] = fused_.instructions[i];
      }
      ++count;
    }
    places.back() = count;
    instructions().resize(count);
    fused_.instructions.resize(count);
    for (ptx::Instruction& instruction : instructions())
      for (ptx::Operand& operand : instruction.operands)
        if (operand.kind == ptx::OperandKind::label) operand.value = places[operand.value];
  }

  bool may_change(const ptx::Instruction& instruction) const {
    const auto watched = [&](int reg) { return watched_.count(static_cast<std::uint32_t>(reg)) != 0; };
    return std::ranges::none_of(instruction.defs, watched) && std::ranges::none_of(instruction.uses, watched);
  }

  const ptx::ControlFlow& flow_;
  FusedEntry fused_;
  std::set<std::uint32_t> watched_;
  std::vector<bool> kept_;
};

}  // namespace

FusedEntry fuse(const ptx::Entry& entry, const ptx::ControlFlow& flow, const UndefinedRegisters& undefined,
                const OpcodeTable& table) {
  return Fuser(entry, flow).fuse(undefined, table);
}

}  // namespace quadpair::emulator
