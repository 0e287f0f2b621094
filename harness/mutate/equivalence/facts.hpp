// What holds for an entry whatever it is launched with.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/device/emulator/ptx/analysis.hpp"
#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/mutate/equivalence/evaluate.hpp"

namespace quadpair::mutate {

class Facts {
 public:
  /// Of launches that are admitted. `entry` outlives it.
  Facts(const ptx::Entry& entry, const Admitted& admitted);

  /// Of the registers, right before the instruction.
  Known known_before(std::size_t instruction) const;
  /// Whether a branch can lead there.
  bool reached(std::size_t instruction) const { return known_[flow_.block_of[instruction]].has_value(); }
  /// Of each register, whether what it holds after the instruction can have a part in a store, a load, a
  /// branch or a barrier.
  std::vector<bool> needed_after(std::size_t instruction) const;
  /// The instructions that run one after the other, whatever branches do: [first, end).
  std::size_t first_of_block(std::size_t instruction) const {
    return flow_.blocks[flow_.block_of[instruction]].first;
  }
  std::size_t end_of_block(std::size_t instruction) const {
    return flow_.blocks[flow_.block_of[instruction]].end;
  }
  /// Whether the register was written on every way to the instruction.
  bool written_before(std::size_t instruction, int reg) const;

 private:
  void find_values();
  void find_limits();
  void execute(const ptx::Instruction& instruction, Known& known) const;
  bool visit(std::size_t block);
  bool flow_into(std::size_t from, std::uint32_t block, const Known& known);
  void find_needed();
  void step_back(std::size_t instruction, std::vector<bool>& needed) const;
  void find_written();

  const ptx::Entry& entry_;
  const Known begin_;
  ptx::ControlFlow flow_;
  std::vector<std::optional<Known>> known_;         ///< where each block begins, of those that are reached
  std::vector<std::vector<std::uint8_t>> changes_;  ///< of each register there
  std::vector<std::uint64_t> limits_;               ///< numbers that others are compared with, ascending
  std::vector<std::vector<std::uint32_t>> ways_;    ///< from each block to those that it can lead to
  std::vector<std::vector<bool>> needed_;           ///< by block, where it ends
  std::vector<std::vector<bool>> written_;          ///< by block, on all ways to its begin
};

/// Whether all that an instruction does is to write registers.
bool only_computes(const ptx::Instruction& instruction);

}  // namespace quadpair::mutate
