// An entry with one instruction exchanged or left out, without parsing the others again.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/device/emulator/ptx/scopes.hpp"

namespace quadpair::ptx {

class Replacements {
 public:
  /// Keeps the names of the entry's registers, parameters and shared variables.
  explicit Replacements(const Entry& entry);
  Replacements(const Replacements&) = delete;
  Replacements& operator=(const Replacements&) = delete;

  /// The instruction that `text`, without the ';', is in the place of `before`, an instruction of the entry.
  /// It may name labels and registers of inner scopes only as far as `before` does. Throws ParseError.
  Instruction read(std::string_view text, const Instruction& before) const;

 private:
  void resolve(Operand& operand, const Instruction& before) const;

  std::vector<Register> registers_;
  Scopes scopes_;
  NameMap<std::uint32_t> offsets_;  ///< of parameters and shared variables
};

/// Leaves an instruction out; labels before it stand before the next one.
void remove_instruction(Entry& entry, std::size_t index);

}  // namespace quadpair::ptx
