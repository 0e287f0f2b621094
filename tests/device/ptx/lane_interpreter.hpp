// A tiny interpreter for slot tests: lanes of one warp, each with its own place in the program.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "harness/device/emulator/ptx/analysis.hpp"

namespace quadpair::ptx {

/// Runs an entry over a register file laid out by slots, one lane a step, in an order drawn from `seed`,
/// so that lanes are anywhere with respect to each other. A lane that reads a register which it never wrote
/// reads 0. Instructions, named for their shape: "mov.*", "add.*", "set.*", "bra", "st.*", and "pair.*"
/// with two destinations, of which the second reads its source after the first is written.
class LaneInterpreter {
 public:
  static constexpr std::size_t lanes = 32;
  static constexpr unsigned steps_of_a_lane = 300;

  LaneInterpreter(const Entry& entry, const Slots& slots)
      : entry_(entry),
        slots_(slots),
        file_(slots.bytes, 0xA5),
        written_(lanes, std::vector<bool>(entry.registers.size())),
        place_(lanes),
        stored_(lanes) {}

  /// What each lane stored, in its order.
  const std::vector<std::vector<std::uint64_t>>& run(std::uint32_t seed);

 private:
  void step(std::size_t lane);
  void execute(const Instruction& instruction, std::size_t lane);
  std::uint64_t read(const Operand& operand, std::size_t lane) const;
  std::uint64_t read_register(int reg, std::size_t lane) const;
  void write(const Operand& operand, std::size_t lane, std::uint64_t value);

  const Entry& entry_;
  const Slots& slots_;
  std::vector<std::uint8_t> file_;
  std::vector<std::vector<bool>> written_;
  std::vector<std::size_t> place_;
  std::vector<std::vector<std::uint64_t>> stored_;
};

}  // namespace quadpair::ptx
