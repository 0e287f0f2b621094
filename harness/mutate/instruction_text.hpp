// The parts of a PTX instruction as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quadpair::mutate {

struct InstructionText {
  std::string guard;  ///< "@%p1", "@!%p1" or empty
  std::string mnemonic;
  std::vector<std::string> operands;  ///< "%r1", "{%r1, %r2}", "[%rd1+16]", "-3", "$L__BB0_2"

  /// Without the ';'.
  std::string text() const;
};

/// `text` is one instruction as ptx::Instruction::text has it.
InstructionText parts_of_instruction(std::string_view text);

/// The registers of a vector operand, or the operand itself.
std::vector<std::string> elements_of(std::string_view operand);
std::string vector_of(const std::vector<std::string>& elements);

/// "mul.lo.s32 %r, %r, %r" of "mul.lo.s32 %r4, %r569, %r2": numbers of registers and labels, and names of
/// variables and parameters, differ from entry to entry.
std::string normalised(std::string_view text);

}  // namespace quadpair::mutate
