#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "harness/device/emulator/ptx/analysis.hpp"
#include "harness/device/emulator/ptx/liveness.hpp"

namespace quadpair::ptx {
namespace {

/// Places within an entry at which a register is alive: instruction i reads at 2i and writes at 2i + 1.
struct Interval {
  std::uint32_t begin = ~std::uint32_t{0}, end = 0;

  bool used() const { return begin <= end; }
  void include(std::uint32_t place) {
    begin = std::min(begin, place);
    end = std::max(end, place);
  }
};

constexpr std::uint32_t slot_bytes(RegisterClass cls) {
  switch (cls) {
    case RegisterClass::predicate:
    case RegisterClass::b16: return 64;
    case RegisterClass::b32: return 128;
    case RegisterClass::b64: return 256;
  }
  return 256;
}

template <class Action>
void for_each(const std::uint64_t* bits, std::size_t words, Action action) {
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
      action(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
}

void include_instruction(std::vector<Interval>& intervals, const Instruction& instruction,
                         std::uint32_t index) {
  for (int reg : instruction.uses) intervals[static_cast<std::size_t>(reg)].include(2 * index);
  // Several destinations are written one after the other, while operands are still to be read; they may be
  // one register.
  const bool several = !instruction.defs.empty() && instruction.operands[0].elements.size() > 1;
  const bool early = instruction.guard >= 0 || several;
  for (int reg : instruction.defs) {
    intervals[static_cast<std::size_t>(reg)].include(2 * index + 1);
    if (early) intervals[static_cast<std::size_t>(reg)].include(2 * index);
  }
}

std::vector<Interval> live_intervals(const Entry& entry, const ControlFlow& flow) {
  std::vector<Interval> intervals(entry.registers.size());
  const Liveness live = liveness(entry, flow);
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    const Block& block = flow.blocks[b];
    for_each(live.in.of(b), live.in.words(),
             [&](std::size_t reg) { intervals[reg].include(2 * block.first); });
    for_each(live.out.of(b), live.out.words(),
             [&](std::size_t reg) { intervals[reg].include(2 * block.end - 1); });
    for (std::uint32_t i = block.first; i < block.end; ++i)
      include_instruction(intervals, entry.instructions[i], i);
  }
  return intervals;
}

/// Linear scan (Poletto and Sarkar, 1999) without spills, one pool of slots for each class.
Slots scan(const Entry& entry, const std::vector<Interval>& intervals, bool reuse) {
  Slots slots;
  slots.offset.assign(entry.registers.size(), 0);
  std::vector<std::uint32_t> by_begin;
  for (std::uint32_t reg = 0; reg < intervals.size(); ++reg)
    if (intervals[reg].used()) by_begin.push_back(reg);
  std::stable_sort(by_begin.begin(), by_begin.end(),
                   [&](auto a, auto b) { return intervals[a].begin < intervals[b].begin; });

  struct Busy {
    std::uint32_t end, offset;
    bool operator<(const Busy& other) const { return end > other.end; }  // the earliest end on top
  };
  std::array<std::vector<Busy>, 4> busy;                 // heaps, by class
  std::array<std::vector<std::uint32_t>, 4> free_slots;  // the slot freed last is warm in the cache
  for (std::uint32_t reg : by_begin) {
    const RegisterClass cls = entry.registers[reg].cls;
    std::vector<Busy>& heap = busy[static_cast<std::size_t>(cls)];
    std::vector<std::uint32_t>& free = free_slots[static_cast<std::size_t>(cls)];
    while (reuse && !heap.empty() && heap.front().end < intervals[reg].begin) {
      std::pop_heap(heap.begin(), heap.end());
      free.push_back(heap.back().offset);
      heap.pop_back();
    }
    if (free.empty()) {
      free.push_back(slots.bytes);
      slots.bytes += slot_bytes(cls);
    }
    slots.offset[reg] = free.back();
    free.pop_back();
    heap.push_back({intervals[reg].end, slots.offset[reg]});
    std::push_heap(heap.begin(), heap.end());
  }
  return slots;
}

}  // namespace

Slots allocate_slots(const Entry& entry, const ControlFlow& flow, bool reuse) {
  return scan(entry, live_intervals(entry, flow), reuse);
}

}  // namespace quadpair::ptx
