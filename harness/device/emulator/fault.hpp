// Faults that name kernel, PTX line, block, warp and lane.
#pragma once

#include <cstdint>
#include <string>

#include "harness/device/emulator/instruction.hpp"

namespace quadpair::emulator {

/// "KERNEL, FILE:LINE, PTX line N 'TEXT', block (x,y,z), warp W, lane L", with the lowest of `lanes` and
/// without the file where the PTX names none. `instruction` is an index in the kernel's arrays.
std::string place_text(const Kernel& kernel, std::uint32_t instruction, const Dim3& block, std::uint32_t warp,
                       std::uint32_t lanes);

/// Throws device::Fault for the lowest of `lanes`: "PLACE: WHAT".
[[noreturn]] void throw_fault(const Instruction* ip, const Context& context, std::uint32_t lanes,
                              const std::string& what);

/// Unwinds a block whose launch is lost because of another block's fault.
struct Stopped {};

}  // namespace quadpair::emulator
