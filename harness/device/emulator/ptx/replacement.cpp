#include "harness/device/emulator/ptx/replacement.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include "harness/device/emulator/ptx/instruction_parser.hpp"
#include "harness/device/emulator/ptx/parser.hpp"

namespace quadpair::ptx {
namespace {

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' || c == '.';
}

/// `text` with every word `from` as `to`.
std::string renamed(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_name(text[end])) ++end;
    if (end == i) ++end;
    const std::string_view word = text.substr(i, end - i);
    result += word == from ? to : word;
    i = end;
  }
  return result;
}

/// With the names that the entry has for registers of inner scopes: "p" is "p.3" there.
std::string outer_names(std::string_view text, const std::vector<Register>& registers,
                        const Instruction& before) {
  std::string result(text);
  const auto rename = [&](int reg) {
    const std::string_view name = registers[static_cast<std::size_t>(reg)].name;
    if (const std::size_t dot = name.find('.'); dot != std::string_view::npos)
      result = renamed(result, name.substr(0, dot), name);
  };
  for (const int reg : before.uses) rename(reg);
  for (const int reg : before.defs) rename(reg);
  return result;
}

}  // namespace

Replacements::Replacements(const Entry& entry) : scopes_(registers_) {
  for (const Register& reg : entry.registers) scopes_.declare_register(reg.name, reg.cls);
  for (const Parameter& parameter : entry.parameters) offsets_.emplace(parameter.name, parameter.offset);
  for (const SharedVariable& variable : entry.shared) offsets_.emplace(variable.name, variable.offset);
}

Instruction Replacements::read(std::string_view text, const Instruction& before) const {
  const std::string named = outer_names(text, registers_, before) + ";";
  Cursor cursor(named, "replacement");
  std::vector<UnresolvedName> names;
  Instruction instruction = parse_instruction(cursor, scopes_, names);
  if (!cursor.at_end()) cursor.fail("one instruction expected");
  for (const UnresolvedName& name : names) resolve(instruction.operands[name.operand], before);
  instruction.text = text;
  instruction.ptx_line = before.ptx_line;
  instruction.source_file = before.source_file;
  instruction.source_line = before.source_line;
  instruction.caller_file = before.caller_file;
  instruction.caller_line = before.caller_line;
  return instruction;
}

void Replacements::resolve(Operand& operand, const Instruction& before) const {
  for (const Operand& known : before.operands)
    if (known.kind == OperandKind::label && known.name == operand.name) {
      operand = known;
      return;
    }
  const auto offset = offsets_.find(operand.name);
  if (offset == offsets_.end()) throw ParseError("unknown name " + operand.name);
  operand.value += offset->second;
}

void remove_instruction(Entry& entry, std::size_t index) {
  entry.instructions.erase(entry.instructions.begin() + static_cast<std::ptrdiff_t>(index));
  for (Instruction& instruction : entry.instructions)
    for (Operand& operand : instruction.operands)
      if (operand.kind == OperandKind::label && operand.value > index) --operand.value;
}

}  // namespace quadpair::ptx
