// From PTX as data to a kernel that runs.
#pragma once

#include <string>
#include <vector>

#include "harness/device/emulator/kernel.hpp"
#include "harness/device/emulator/opcode_table.hpp"
#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::emulator {

/// `files` are those that the entry's .loc directives number. Throws device::Fault that names module, PTX
/// line and text for an instruction, an operand or a special register that it does not know, and for
/// approximate instructions.
Kernel decode(const ptx::Entry& entry, const std::vector<ptx::SourceFile>& files, const std::string& module,
              const OpcodeTable& table, Observation observation = Observation::none);

}  // namespace quadpair::emulator
