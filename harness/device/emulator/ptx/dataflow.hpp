// Which registers an instruction writes and reads.
#pragma once

#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::ptx {

/// Fills `defs` and `uses`, each register once, from mnemonic, operands and guard.
void fill_dataflow(Instruction& instruction);

}  // namespace quadpair::ptx
