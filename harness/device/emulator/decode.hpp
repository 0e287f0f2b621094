// From PTX as data to a kernel that runs.
#pragma once

#include <string>

#include "harness/device/emulator/kernel.hpp"
#include "harness/device/emulator/opcode_table.hpp"
#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::emulator {

/// Throws device::Fault that names module, PTX line and text for an instruction, an operand or a special
/// register that it does not know, and for approximate instructions.
Kernel decode(const ptx::Entry& entry, const std::string& module, const OpcodeTable& table);

}  // namespace quadpair::emulator
