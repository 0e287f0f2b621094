// Faults that name kernel, PTX line, block, warp and lane.
#pragma once

#include <cstdint>
#include <string>

#include "harness/device/emulator/instruction.hpp"

namespace quadpair::emulator {

/// Throws device::Fault for the lowest of `lanes`: "KERNEL, PTX line N 'TEXT', block (x,y,z), warp W, lane L:
/// WHAT".
[[noreturn]] void throw_fault(const Instruction* ip, const Context& context, std::uint32_t lanes,
                              const std::string& what);

/// Unwinds a block whose launch is lost because of another block's fault.
struct Stopped {};

}  // namespace quadpair::emulator
