#include "harness/mutate/instruction_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

namespace quadpair::mutate {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Parts between commas outside brackets and braces.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '{' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == '}' || text[i] == ']')) --depth;
    if (i < text.size() && (text[i] != ',' || depth != 0)) continue;
    if (const std::string_view part = trimmed(text.substr(begin, i - begin)); !part.empty())
      parts.emplace_back(part);
    begin = i + 1;
  }
  return parts;
}

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' || c == '.';
}

}  // namespace

std::string InstructionText::text() const {
  std::string all = guard.empty() ? "" : guard + " ";
  all += mnemonic;
  if (!operands.empty()) all += fmt::format(" {}", fmt::join(operands, ", "));
  return all;
}

InstructionText parts_of_instruction(std::string_view text) {
  InstructionText parts;
  text = trimmed(text);
  if (text.starts_with("@")) {
    // The guard may stand apart from its sign, and need not begin with %: "@! %p1", "@p".
    const std::size_t reg = text.find_first_not_of("@! "), end = text.find(' ', reg);
    parts.guard = fmt::format("{}{}", text.substr(0, reg).find('!') != std::string_view::npos ? "@!" : "@",
                              text.substr(reg, end - reg));
    text = trimmed(text.substr(end));
  }
  const std::size_t end = text.find(' ');
  parts.mnemonic = text.substr(0, end);
  if (end != std::string_view::npos) parts.operands = split(text.substr(end));
  return parts;
}

std::vector<std::string> elements_of(std::string_view operand) {
  if (!operand.starts_with("{")) return {std::string(operand)};
  return split(operand.substr(1, operand.size() - 2));
}

std::string vector_of(const std::vector<std::string>& elements) {
  return fmt::format("{{{}}}", fmt::join(elements, ", "));
}

std::string normalised(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_name(text[end])) ++end;
    const std::string_view name = text.substr(i, end - i);
    if (name.empty()) {
      result += text[i++];
      continue;
    }
    i = end;
    if (name.starts_with("$L")) {
      result += "$L";
    } else if (name.find("_param_") != std::string_view::npos) {
      result.append("param_").append(name.substr(name.rfind('_') + 1));
    } else if (name.starts_with("_Z")) {
      result += "variable";
    } else if (name.starts_with("%") && name.find('.') == std::string_view::npos) {
      std::size_t digits = name.size();
      while (digits > 1 && std::isdigit(static_cast<unsigned char>(name[digits - 1])) != 0) --digits;
      result += name.substr(0, digits);
    } else {
      result += name;
    }
  }
  return result;
}

}  // namespace quadpair::mutate
