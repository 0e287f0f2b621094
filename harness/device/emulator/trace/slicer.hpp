// From the recording of a block to how one stored number came about.
#pragma once

#include <string>

#include "harness/device/emulator/memory.hpp"
#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/device/emulator/trace/recording.hpp"
#include "harness/device/history.hpp"

namespace quadpair::emulator {

/// Follows values back from what the block last stored at `address`, lane by lane, through registers and
/// shared memory to loads, parameters and constants. Addresses are not followed, nor what shuffles exchange.
device::History slice(const ptx::Program& program, const ptx::Entry& entry, const std::string& module,
                      const Recording& recording, const Memory& memory, std::uint64_t address);

}  // namespace quadpair::emulator
