// Fewer, larger instructions, where nobody looks at registers: what a kernel computes, the memory accesses
// that it makes and their places in its text are the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/device/emulator/opcode_table.hpp"
#include "harness/device/emulator/ptx/analysis.hpp"
#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::emulator {

/// Of a load: the lanes in which the predicate does not hold get the value.
struct Otherwise {
  int predicate = -1;
  bool negated = false;
  std::uint64_t value = 0;
};

/// Registers that may be read before they are written.
struct UndefinedRegisters {
  const std::vector<std::uint32_t>& numbers;
  bool watched = false;  ///< instructions that read or write them stay as they are
};

struct FusedInstruction {
  std::uint32_t origin = 0;  ///< the last of the entry's instructions that it does the work of
  std::optional<Otherwise> otherwise;
};

/// An entry with the basic blocks of the one it was made from. Mnemonics with a '+', which no PTX text can
/// have, are those of fused_opcodes().
struct FusedEntry {
  ptx::Entry entry;
  std::vector<FusedInstruction> instructions;  ///< about each of the entry's
};

/// What the table lacks is not made.
FusedEntry fuse(const ptx::Entry& entry, const ptx::ControlFlow& flow, const UndefinedRegisters& undefined,
                const OpcodeTable& table);

}  // namespace quadpair::emulator
