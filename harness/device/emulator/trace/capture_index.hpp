// A recording made searchable: who wrote a register, who wrote a word of shared memory.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/device/emulator/trace/recording.hpp"

namespace quadpair::emulator {

/// A lane's part of a capture.
struct Moment {
  std::uint32_t capture = 0, lane = 0;
};

/// A store to shared memory, or a copy into it, that covers a word.
struct SharedWriter {
  Moment at;
  std::uint32_t element = 0;  ///< of the stored registers
  std::uint64_t begin = 0;    ///< shared address of what that element covers; of a copy, of all of it
  std::uint32_t bytes = 0;    ///< that it covers
};

class CaptureIndex {
 public:
  CaptureIndex(const ptx::Entry& entry, const Recording& recording);

  const Capture& capture(std::uint32_t index) const { return recording_.captures[index]; }
  const ptx::Instruction& instruction(std::uint32_t index) const {
    return entry_.instructions[capture(index).instruction];
  }

  /// The last capture, before `before`, of a result that is the register in that lane.
  std::optional<std::uint32_t> definition(int reg, std::uint32_t before, std::uint32_t lane) const;

  /// The value of a captured register.
  std::uint64_t value(Moment at, int reg) const;

  /// Word `index` of what a wgmma's capture has beside its sums.
  std::uint32_t staged(std::uint32_t capture, std::size_t index) const;

  /// What an address operand stands for; `reg` must be captured there unless it is -1.
  std::uint64_t address(Moment at, const ptx::Operand& operand) const;

  /// The capture of the address registers of the access whose results `after` holds.
  std::uint32_t before(std::uint32_t after) const { return after - 1; }

  /// The last writer, before capture `before`, of the 4-byte word of shared memory at that address.
  std::optional<SharedWriter> shared_writer(std::uint64_t address, std::uint32_t before) const;

 private:
  void add_store(std::uint32_t index);
  const std::vector<int>& registers_of(const Capture& capture) const;

  const ptx::Entry& entry_;
  const Recording& recording_;
  std::vector<std::vector<int>> before_, after_;  ///< registers captured, by instruction
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> definitions_;  ///< by warp and register
  std::unordered_map<std::uint64_t, std::vector<SharedWriter>> shared_;        ///< by word
};

}  // namespace quadpair::emulator
