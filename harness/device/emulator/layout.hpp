// An entry's instructions as two arrays of handlers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/device/emulator/fuse/fuse.hpp"
#include "harness/device/emulator/kernel.hpp"
#include "harness/device/emulator/opcode_table.hpp"
#include "harness/device/emulator/ptx/analysis.hpp"
#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::emulator {

/// About a fused entry, by its instructions and by blocks.
struct FusedLayout {
  std::span<const FusedInstruction> instructions;
  std::span<const BlockCounts> blocks;  ///< of the entry as written
};

/// Lays the blocks out in the kernel, one after another, each with its end, which counts it. `undefined` are
/// the registers that may be read before they are written.
void lay_out(const ptx::Entry& entry, const ptx::ControlFlow& flow,
             const std::vector<std::uint32_t>& undefined, const OpcodeTable& table, Kernel& kernel,
             const FusedLayout* fused = nullptr);

}  // namespace quadpair::emulator
