// The opcodes by mnemonic.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/device/emulator/opcode.hpp"

namespace quadpair::emulator {

/// All handlers for the CPU at hand.
class OpcodeTable {
 public:
  OpcodeTable();

  /// Null when the mnemonic is unknown.
  const Opcode* find(std::string_view mnemonic) const;

  const Utilities& utilities() const { return utilities_; }

 private:
  Utilities utilities_;
  std::unordered_map<std::string_view, Opcode> opcodes_;
};

/// The one of a family (loads, conversions) with this element and these register widths; null when there is
/// none.
const Opcode* find_element(std::span<const Opcode> family, std::string_view element, std::uint8_t width0,
                           std::uint8_t width1);

/// Why an unknown mnemonic is refused.
std::string_view refusal_reason(std::string_view mnemonic);

}  // namespace quadpair::emulator
