// The traced decode of a kernel captures registers around its instructions.
#pragma once

#include "harness/device/emulator/emitter.hpp"

namespace quadpair::emulator {

/// Emits what captures the registers that captured_before() names, before an access to memory.
void emit_before(Emitter& emitter, const ptx::Entry& entry);

/// Emits what captures the results of the current instruction, unless it is a wgmma.
void emit_after(Emitter& emitter, const ptx::Entry& entry);

}  // namespace quadpair::emulator
