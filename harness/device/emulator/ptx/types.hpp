// Widths of registers, and the parts of mnemonics.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::ptx {

/// Bits of a register of the class, 1 for predicates.
std::uint8_t width_of(RegisterClass cls);

/// The parts of a mnemonic between its dots: at least one.
std::vector<std::string_view> parts_of(std::string_view mnemonic);

}  // namespace quadpair::ptx
