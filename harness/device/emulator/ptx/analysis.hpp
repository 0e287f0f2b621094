// Control flow, post-dominators, liveness and register slots of one entry.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::ptx {

struct Block {
  std::uint32_t first = 0, end = 0;       ///< instructions [first, end)
  std::vector<std::uint32_t> successors;  ///< block indices, fall-through first; return is no block
};

struct ControlFlow {
  std::vector<Block> blocks;            ///< in program order
  std::vector<std::uint32_t> block_of;  ///< of each instruction
  /// Immediate post-dominator of each block; blocks.size() stands for the exit.
  std::vector<std::uint32_t> post_dominator;
};

ControlFlow control_flow(const Entry& entry);

/// Where each register lives in a warp's register file: 32 lanes of 4 bytes (b32), 8 (b64), 2 (b16); a
/// predicate is one 32-bit mask in a 64-byte slot. Slots are 64-byte aligned and reused by registers of the
/// same class whose live ranges do not meet (of another class, a lane would write over other lanes' bytes).
/// Operands of an instruction with several destinations share no slot with these. A guarded definition also
/// counts as a use (other lanes keep their value).
struct Slots {
  std::vector<std::uint32_t> offset;  ///< bytes, per register; unused registers share slot 0's offset
  std::uint32_t bytes = 0;
};

/// `reuse` false gives every register a slot of its own (for domains that keep state per register).
Slots allocate_slots(const Entry& entry, const ControlFlow& flow, bool reuse = true);

}  // namespace quadpair::ptx
