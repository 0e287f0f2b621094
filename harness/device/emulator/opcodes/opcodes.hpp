// The families of opcodes, each compiled for every SIMD target and chosen by the CPU at run time.
#pragma once

#include <span>

#include "harness/device/emulator/opcode.hpp"

namespace quadpair::emulator {

std::span<const Opcode> integer_opcodes();
std::span<const Opcode> bit_opcodes();
std::span<const Opcode> field_opcodes();
std::span<const Opcode> compare_opcodes();
std::span<const Opcode> half_opcodes();
std::span<const Opcode> native_half_opcodes();  ///< none where the CPU has no FP16 arithmetic
std::span<const Opcode> single_opcodes();
std::span<const Opcode> convert_opcodes();
std::span<const Opcode> warp_opcodes();
std::span<const Opcode> fused_opcodes();  ///< what emulator::fuse makes, with mnemonics that PTX cannot have

/// Integer widths: "s8" takes the low 8 bits of a register and sign-extends them to the destination's width;
/// by destination and source width (Opcode::widths).
std::span<const Opcode> integer_conversions();

/// By element: mnemonics such as "v2.u32", for each register width (Opcode::widths[0]).
std::span<const Opcode> global_loads();
std::span<const Opcode> global_stores();
std::span<const Opcode> shared_loads();
std::span<const Opcode> shared_stores();
std::span<const Opcode> parameter_loads();
std::span<const Opcode> indexed_parameter_loads();  ///< by an address register

/// "b32", "b64", "b128": cp.async of that width; "commit_group"; "wait_group".
std::span<const Opcode> async_copies();

/// "product", "commit_group", "wait_group" of wgmma; "proxy_fence"; "arrive".
std::span<const Opcode> warpgroup_opcodes();

/// "x1" to "x4" and "x1.trans" to "x4.trans".
std::span<const Opcode> matrix_loads();

/// mov and everything that the decoder puts in by itself.
Utilities move_utilities();
Utilities control_utilities();

}  // namespace quadpair::emulator
