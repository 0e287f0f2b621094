#include "harness/mutate/equivalence/facts.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/mutate/equivalence/condition.hpp"

namespace quadpair::mutate {
namespace {

/// What is known where a block begins may change so often until it is taken up to the next number that the
/// entry compares with, and so often until the register may hold anything: loops would go on for long.
constexpr unsigned changes_to_limit = 3, changes_to_any = 40;

bool begins(const ptx::Instruction& instruction, std::string_view name) {
  return std::string_view(instruction.mnemonic).starts_with(name);
}

}  // namespace

bool only_computes(const ptx::Instruction& instruction) {
  constexpr std::array<std::string_view, 17> pure = {"add.",  "sub.",  "mul.",  "mad.", "and.", "or.",
                                                     "xor.",  "not.",  "shl.",  "shr.", "mov.", "cvt.",
                                                     "setp.", "selp.", "lop3.", "fma.", "prmt."};
  constexpr std::array<std::string_view, 8> more = {"bfi.", "bfe.", "min.",  "max.",
                                                    "neg.", "abs.", "cvta.", "div."};
  for (const std::string_view name : pure)
    if (begins(instruction, name)) return true;
  for (const std::string_view name : more)
    if (begins(instruction, name)) return true;
  return begins(instruction, "mma.") || begins(instruction, "ld.param.");
}

Facts::Facts(const ptx::Entry& entry, const Admitted& admitted)
    : entry_(entry),
      begin_(known_at_begin(entry, admitted)),
      flow_(ptx::control_flow(entry)),
      known_(flow_.blocks.size()),
      changes_(flow_.blocks.size(), std::vector<std::uint8_t>(begin_.size())),
      ways_(flow_.blocks.size()),
      needed_(flow_.blocks.size(), std::vector<bool>(entry.registers.size())) {
  find_limits();
  find_values();
  find_needed();
  find_written();
}

void Facts::find_limits() {
  for (const ptx::Instruction& instruction : entry_.instructions)
    if (const auto comparison = comparison_of(instruction))
      for (const ptx::Operand& operand : {comparison->a, comparison->b})
        if (operand.kind == ptx::OperandKind::immediate)
          for (const std::uint64_t limit : {operand.value - 1, operand.value, operand.value + 1})
            limits_.push_back(limit & mask_of(comparison->width));
  std::ranges::sort(limits_);
}

void Facts::find_values() {
  if (flow_.blocks.empty()) return;
  known_[0] = begin_;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = 0; b < flow_.blocks.size(); ++b)
      if (known_[b]) changed |= visit(b);
  }
}

void Facts::execute(const ptx::Instruction& instruction, Known& known) const {
  std::optional<Value> value;
  if (instruction.defs.size() == 1 && !begins(instruction, "mma.") &&
      (only_computes(instruction) || begins(instruction, "ld.")))
    value = Evaluator(entry_, known).result(instruction).value;
  for (const int reg : instruction.defs) {
    const auto r = static_cast<std::size_t>(reg);
    const Value now = value.value_or(Value::any(width_of(entry_.registers[r].cls)));
    known[r] = instruction.guard < 0 ? now : now.joined(known[r]);
  }
}

/// Passes on what holds where the block ends; false where that is nothing new.
bool Facts::visit(std::size_t block) {
  const ptx::Block& instructions = flow_.blocks[block];
  Known known = *known_[block];
  std::optional<Condition> condition;  // of the branch at the end
  const ptx::Instruction& last = entry_.instructions[instructions.end - 1];
  for (std::uint32_t i = instructions.first; i < instructions.end; ++i) {
    const ptx::Instruction& instruction = entry_.instructions[i];
    execute(instruction, known);
    if (condition && condition->ends_with(instruction)) condition.reset();
    if (std::ranges::find(instruction.defs, last.guard) != instruction.defs.end())
      condition =
          instruction.guard < 0 && instruction.defs.size() == 1 ? Condition::of(instruction) : std::nullopt;
  }
  if (!begins(last, "bra") || last.guard < 0 || instructions.successors.size() < 2) {
    bool changed = false;
    for (const std::uint32_t next : instructions.successors) changed |= flow_into(block, next, known);
    return changed;
  }
  // The way on is the first.
  bool changed = false;
  const Value guard = known[static_cast<std::size_t>(last.guard)];
  for (const bool taken : {false, true}) {
    const bool value = taken != last.guard_negated;
    if (!guard.may_be(value ? 1 : 0)) continue;
    Known there = known;
    there[static_cast<std::size_t>(last.guard)] = Value::constant(1, value ? 1 : 0);
    if (condition && !condition->assume(value, there)) continue;
    changed |= flow_into(block, instructions.successors[taken ? 1 : 0], there);
  }
  return changed;
}

bool Facts::flow_into(std::size_t from, std::uint32_t block, const Known& known) {
  if (std::ranges::find(ways_[from], block) == ways_[from].end()) ways_[from].push_back(block);
  if (!known_[block]) {
    known_[block] = known;
    return true;
  }
  bool any = false;
  for (std::size_t r = 0; r < known.size(); ++r) {
    Value& before = (*known_[block])[r];
    Value joined = before.joined(known[r]);
    if (joined == before) continue;
    std::uint8_t& changes = changes_[block][r];
    if (++changes > changes_to_any) {
      joined = Value::any(joined.width);
      changes = changes_to_any;
    } else if (changes > changes_to_limit) {
      const auto limit = std::ranges::lower_bound(limits_, joined.highest);
      joined.highest =
          limit == limits_.end() ? mask_of(joined.width) : std::min(*limit, mask_of(joined.width));
      joined.lowest = joined.ones;
    }
    any |= joined != before;
    before = joined;
  }
  return any;
}

Known Facts::known_before(std::size_t instruction) const {
  const std::uint32_t block = flow_.block_of[instruction];
  Known known = *known_[block];
  for (std::size_t i = flow_.blocks[block].first; i < instruction; ++i)
    execute(entry_.instructions[i], known);
  return known;
}

/// From what is needed after an instruction to what is needed before it.
void Facts::step_back(std::size_t index, std::vector<bool>& needed) const {
  const ptx::Instruction& instruction = entry_.instructions[index];
  const auto is_needed = [&](int reg) { return needed[static_cast<std::size_t>(reg)]; };
  if (only_computes(instruction) && std::ranges::none_of(instruction.defs, is_needed)) return;
  if (instruction.guard < 0)
    for (const int reg : instruction.defs) needed[static_cast<std::size_t>(reg)] = false;
  for (const int reg : instruction.uses) needed[static_cast<std::size_t>(reg)] = true;
}

void Facts::find_needed() {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = flow_.blocks.size(); b-- > 0;) {
      std::vector<bool> needed = needed_[b];
      for (std::size_t i = flow_.blocks[b].end; i-- > flow_.blocks[b].first;) step_back(i, needed);
      for (std::size_t before = 0; before < ways_.size(); ++before) {
        if (std::ranges::find(ways_[before], b) == ways_[before].end()) continue;
        for (std::size_t r = 0; r < needed.size(); ++r)
          if (needed[r] && !needed_[before][r]) needed_[before][r] = changed = true;
      }
    }
  }
}

std::vector<bool> Facts::needed_after(std::size_t instruction) const {
  const std::uint32_t block = flow_.block_of[instruction];
  std::vector<bool> needed = needed_[block];
  for (std::size_t i = flow_.blocks[block].end; --i > instruction;) step_back(i, needed);
  return needed;
}

void Facts::find_written() {
  const std::size_t registers = entry_.registers.size();
  written_.assign(flow_.blocks.size(), std::vector<bool>(registers, true));
  if (flow_.blocks.empty()) return;
  written_[0].assign(registers, false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const ptx::Block& block : flow_.blocks) {
      std::vector<bool> after = written_[static_cast<std::size_t>(&block - flow_.blocks.data())];
      for (std::uint32_t i = block.first; i < block.end; ++i)
        if (entry_.instructions[i].guard < 0)
          for (const int reg : entry_.instructions[i].defs) after[static_cast<std::size_t>(reg)] = true;
      for (const std::uint32_t next : block.successors)
        for (std::size_t r = 0; r < registers; ++r)
          if (written_[next][r] && !after[r]) {
            written_[next][r] = false;
            changed = true;
          }
    }
  }
}

bool Facts::written_before(std::size_t instruction, int reg) const {
  const std::uint32_t b = flow_.block_of[instruction];
  if (written_[b][static_cast<std::size_t>(reg)]) return true;
  for (std::size_t i = flow_.blocks[b].first; i < instruction; ++i)
    if (entry_.instructions[i].guard < 0)
      for (const int def : entry_.instructions[i].defs)
        if (def == reg) return true;
  return false;
}

}  // namespace quadpair::mutate
