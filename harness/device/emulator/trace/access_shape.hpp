// What a memory instruction accesses, by its mnemonic.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::emulator {

struct AccessShape {
  enum class Space : std::uint8_t { none, global, shared, parameter };
  Space space = Space::none;
  bool store = false, copy = false;         ///< copy: cp.async, from global to shared memory
  std::uint32_t elements = 0, element = 0;  ///< how many, bytes of each

  std::uint32_t bytes() const { return elements * element; }
};

/// Space::none for what accesses no memory. Generic addresses count as global.
AccessShape access_of(const ptx::Instruction& instruction);

/// Whether it accesses global or shared memory.
bool accesses_memory(const ptx::Instruction& instruction);

/// Registers that a trace needs from before the instruction: its address, of a copy destination, source and
/// bytes read, each where it is a register.
std::vector<int> captured_before(const ptx::Instruction& instruction);

}  // namespace quadpair::emulator
