// What a lane's value is. Handlers are written once over a domain, which is told of every register read and
// written and of every memory access.
#pragma once

#include <cstdint>

#include "harness/device/emulator/instruction.hpp"

namespace quadpair::emulator {

/// Values are their bits and nothing else.
struct PlainDomain {
  static void read(const Instruction*, Context*, std::uint32_t /*offset*/) {}
  static void write(const Instruction*, Context*, std::uint32_t /*offset*/) {}
};

}  // namespace quadpair::emulator
