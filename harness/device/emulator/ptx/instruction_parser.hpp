// One instruction: guard, mnemonic, operands.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/device/emulator/ptx/cursor.hpp"
#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/device/emulator/ptx/scopes.hpp"

namespace quadpair::ptx {

/// A label or variable, which the entry may declare only later.
struct UnresolvedName {
  std::uint32_t operand;  ///< of the instruction
  std::uint32_t scope;
  const Token* token;
};

/// Parses up to and including the ';'. Operands listed in `names` are of kind symbol or address and hold
/// the name and what is added to it.
Instruction parse_instruction(Cursor& cursor, const Scopes& scopes, std::vector<UnresolvedName>& names);

}  // namespace quadpair::ptx
