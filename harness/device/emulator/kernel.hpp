// A decoded entry, ready to run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/device/emulator/observe/access.hpp"
#include "harness/device/emulator/opcode.hpp"

namespace quadpair::emulator {

struct SourceLine {
  std::uint32_t ptx_line = 0;
  std::string text;
  std::string source{};  ///< "kernels/qpn2/gemm.cu:61", or empty
};

/// What one execution of a basic block counts.
struct BlockCounts {
  std::array<std::uint32_t, static_cast<std::size_t>(Kind::count)> kinds{};
  std::array<std::uint32_t, mma_shapes> mma{};  ///< by MmaShape
  std::array<std::uint32_t, 32> warpgroup{};    ///< a warp's part of wgmma m64nNk16, by N / 8 - 1
  std::uint32_t length = 0;                     ///< instructions
};

/// A register slot that holds one value in every lane.
struct FilledSlot {
  std::uint32_t offset = 0, width = 0;  ///< bytes, bits (1: a predicate)
  std::uint64_t value = 0;
};

inline constexpr std::uint64_t kUndefined = 0xd1d1d1d1d1d1d1d1;

/// What a kernel's observers, which its plain code does not have, note while it runs.
enum class Observation : std::uint8_t {
  none,
  counts,  ///< of memory accesses
  faults,  ///< these too
  history  ///< registers, for a Recorder, and nothing else
};

/// Whether memory accesses have observers.
constexpr bool observes_accesses(Observation observation) {
  return observation == Observation::counts || observation == Observation::faults;
}

/// Observers of a register that may be read before it is written: which lanes have written it.
struct WatchedRegister {
  std::string name;
  std::uint32_t written = 0;  ///< a predicate in the register file
};

struct Kernel {
  std::string module, name;
  std::vector<Instruction> full, masked;
  std::vector<std::vector<std::uint32_t>> lists;  ///< what Instruction::list points into
  std::vector<std::uint32_t> source;              ///< of each instruction, an index into lines
  std::vector<SourceLine> lines;                  ///< one a PTX instruction
  std::vector<BlockCounts> blocks;
  std::vector<FilledSlot> constants;  ///< never written by the kernel
  std::vector<FilledSlot> undefined;  ///< registers that may be read before they are written
  std::uint32_t file_bytes = 0;       ///< of a warp's register file
  std::vector<Access> accesses;       ///< by memory site
  std::vector<WatchedRegister> watched;
  Observation observation = Observation::none;
  std::uint32_t parameter_bytes = 0, shared_bytes = 0, max_threads = 0;

  bool multiplies_by_warpgroups() const {
    return std::ranges::any_of(blocks, [](const BlockCounts& block) {
      return std::ranges::any_of(block.warpgroup, [](std::uint32_t count) { return count != 0; });
    });
  }

  bool multiplies_with(MmaShape shape) const {
    const auto s = static_cast<std::size_t>(shape);
    return std::ranges::any_of(blocks, [s](const BlockCounts& block) { return block.mma[s] != 0; });
  }
};

}  // namespace quadpair::emulator
