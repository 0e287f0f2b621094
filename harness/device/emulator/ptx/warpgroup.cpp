#include "harness/device/emulator/ptx/warpgroup.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace quadpair::ptx {
namespace {

bool is(const Instruction& instruction, std::string_view what) {
  return instruction.mnemonic.starts_with(what);
}

bool is_product(const Instruction& instruction) {
  return is(instruction, "wgmma.mma_async") && !instruction.operands.empty();
}

std::vector<int> registers_of(const Operand& operand) {
  std::vector<int> registers;
  for (const Operand& element : operand.elements)
    if (element.reg >= 0) registers.push_back(element.reg);
  return registers;
}

std::vector<int> fragment_of(const Instruction& product) {
  return product.operands.size() > 1 ? registers_of(product.operands[1]) : std::vector<int>{};
}

/// Of each register that products take: groups closed since the one that holds it, and whether it has been
/// touched.
struct State {
  static constexpr std::uint8_t free = 255, most = 254;
  std::vector<std::uint8_t> accumulators, fragments, touched;

  explicit State(std::size_t registers)
      : accumulators(registers, free), fragments(registers, free), touched(registers, 0) {}

  /// What holds on either way; yields whether that is more than before.
  bool join(const State& other) {
    bool changed = false;
    const auto meet = [&](std::uint8_t& mine, std::uint8_t theirs, bool least) {
      const std::uint8_t both = least ? std::min(mine, theirs) : std::max(mine, theirs);
      changed |= both != mine;
      mine = both;
    };
    for (std::size_t r = 0; r < touched.size(); ++r) {
      meet(accumulators[r], other.accumulators[r], true);
      meet(fragments[r], other.fragments[r], true);
      meet(touched[r], other.touched[r], false);
    }
    return changed;
  }
};

class Walk {
 public:
  explicit Walk(const Entry& entry) : entry_(entry), places_(entry.registers.size(), -1) {
    for (const Instruction& instruction : entry.instructions)
      if (is_product(instruction))
        for (const std::vector<int>& registers :
             {registers_of(instruction.operands[0]), fragment_of(instruction)})
          for (const int reg : registers)
            if (int& place = places_[static_cast<std::size_t>(reg)]; place < 0) place = count_++;
  }

  State at_the_beginning() const { return State(static_cast<std::size_t>(count_)); }

  /// Carries the state past an instruction; yields what is wrong with it.
  std::string pass(const Instruction& instruction, State& state) const {
    if (is_product(instruction)) return product(instruction, state);
    if (is(instruction, "wgmma.fence")) {
      std::ranges::fill(state.touched, 0);
    } else if (is(instruction, "wgmma.commit_group")) {
      age(state.accumulators);
      age(state.fragments);
    } else if (is(instruction, "wgmma.wait_group") && !instruction.operands.empty()) {
      release(state.accumulators, instruction.operands[0].value);
      release(state.fragments, instruction.operands[0].value);
    } else {
      return other(instruction, state);
    }
    return "";
  }

 private:
  const std::string& name(int reg) const { return entry_.registers[static_cast<std::size_t>(reg)].name; }

  static void age(std::vector<std::uint8_t>& ages) {
    for (std::uint8_t& groups : ages)
      if (groups < State::most) ++groups;
  }
  static void release(std::vector<std::uint8_t>& ages, std::uint64_t recent) {
    for (std::uint8_t& groups : ages)
      if (groups != State::free && groups > recent) groups = State::free;
  }
  bool taken(int reg) const { return places_[static_cast<std::size_t>(reg)] >= 0; }
  std::uint8_t& at(std::vector<std::uint8_t>& values, int reg) const {
    return values[static_cast<std::size_t>(places_[static_cast<std::size_t>(reg)])];
  }

  std::string product(const Instruction& instruction, State& state) const {
    const std::vector<int> sums = registers_of(instruction.operands[0]), fragment = fragment_of(instruction);
    for (const std::vector<int>& registers : {sums, fragment})
      for (const int reg : registers)
        if (at(state.touched, reg) != 0)
          return fmt::format("takes register {}, touched since the last wgmma.fence", name(reg));
    for (const int reg : sums)
      if (at(state.fragments, reg) != State::free)
        return fmt::format("sums in register {}, a fragment of a product not waited for", name(reg));
    for (const int reg : fragment)
      if (at(state.accumulators, reg) != State::free)
        return fmt::format("multiplies register {}, a sum not waited for", name(reg));
    for (const int reg : sums) at(state.accumulators, reg) = 0;
    for (const int reg : fragment) at(state.fragments, reg) = 0;
    return "";
  }

  std::string other(const Instruction& instruction, State& state) const {
    for (const int reg : instruction.uses) {
      if (!taken(reg)) continue;
      if (at(state.accumulators, reg) != State::free)
        return fmt::format("reads register {}, a sum of a wgmma not waited for", name(reg));
      at(state.touched, reg) = 1;
    }
    for (const int reg : instruction.defs) {
      if (!taken(reg)) continue;
      if (at(state.accumulators, reg) != State::free || at(state.fragments, reg) != State::free)
        return fmt::format("writes register {} of a wgmma not waited for", name(reg));
      at(state.touched, reg) = 1;
    }
    return "";
  }

  const Entry& entry_;
  std::vector<int> places_;  ///< of each register in a State, or -1
  int count_ = 0;
};

}  // namespace

bool multiplies_by_warpgroups(const Entry& entry) {
  return std::ranges::any_of(entry.instructions, is_product);
}

void keep_accumulators(Entry& entry) {
  std::vector<int> all;
  for (const Instruction& instruction : entry.instructions)
    if (is_product(instruction))
      for (const int reg : registers_of(instruction.operands[0])) all.push_back(reg);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (Instruction& instruction : entry.instructions)
    if (is(instruction, "wgmma.wait_group")) instruction.uses = all;
}

std::optional<Misuse> find_misuse(const Entry& entry, const ControlFlow& flow) {
  if (!multiplies_by_warpgroups(entry)) return std::nullopt;
  const Walk walk(entry);
  std::vector<std::optional<State>> before(flow.blocks.size());
  before[0] = walk.at_the_beginning();
  std::optional<Misuse> first;
  std::vector<std::uint32_t> waiting = {0};
  while (!waiting.empty()) {
    const std::uint32_t b = waiting.back();
    waiting.pop_back();
    State state = *before[b];
    for (std::uint32_t i = flow.blocks[b].first; i < flow.blocks[b].end; ++i)
      if (std::string what = walk.pass(entry.instructions[i], state);
          !what.empty() && (!first || i < first->instruction))
        first = Misuse{i, std::move(what)};
    for (const std::uint32_t successor : flow.blocks[b].successors) {
      const bool changed = !before[successor] || before[successor]->join(state);
      if (!before[successor]) before[successor] = state;
      if (changed) waiting.push_back(successor);
    }
  }
  return first;
}

}  // namespace quadpair::ptx
