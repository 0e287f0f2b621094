#include "harness/device/emulator/ptx/instruction_parser.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "harness/device/emulator/ptx/dataflow.hpp"

namespace quadpair::ptx {
namespace {

constexpr std::array<std::string_view, 18> special_registers = {
    "%tid",         "%ntid",        "%ctaid",       "%nctaid", "%laneid",      "%warpid",
    "%nwarpid",     "%smid",        "%nsmid",       "%gridid", "%lanemask_eq", "%lanemask_le",
    "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%clock",  "%clock64",     "%globaltimer"};
constexpr std::array<std::string_view, 2> shared_memory_sizes = {"%total_smem_size", "%dynamic_smem_size"};

bool is_special(std::string_view name) {
  const auto known = [](const auto& names, std::string_view what) {
    return std::find(names.begin(), names.end(), what) != names.end();
  };
  return known(special_registers, name.substr(0, name.find('.'))) || known(shared_memory_sizes, name);
}

Operand of(OperandKind kind) {
  Operand operand;
  operand.kind = kind;
  return operand;
}

class InstructionParser {
 public:
  InstructionParser(Cursor& cursor, const Scopes& scopes, std::vector<UnresolvedName>& names)
      : cursor_(cursor), scopes_(scopes), names_(names) {}

  Instruction parse() {
    const Token& first = cursor_.peek();
    instruction_.ptx_line = first.line;
    if (cursor_.accept('@')) parse_guard();
    instruction_.mnemonic = cursor_.word("instruction");
    if (!cursor_.at(';')) {
      do {
        instruction_.operands.push_back(operand());
      } while (cursor_.accept(','));
    }
    instruction_.text = cursor_.text_since(first);
    if (!cursor_.accept(';')) cursor_.fail("',' or ';' expected");
    fill_dataflow(instruction_);
    return std::move(instruction_);
  }

 private:
  void parse_guard() {
    instruction_.guard_negated = cursor_.accept('!');
    const Token& token = cursor_.peek();
    instruction_.guard = scopes_.find_register(cursor_.word("predicate"));
    if (instruction_.guard < 0) cursor_.fail("unknown predicate", token);
    if (scopes_.class_of(instruction_.guard) != RegisterClass::predicate)
      cursor_.fail("guard is not a predicate", token);
  }

  Operand operand() {
    if (cursor_.accept('{')) return vector();
    if (cursor_.accept('[')) return address();
    if (cursor_.at('(')) cursor_.fail("calls are not supported");
    Operand first = scalar();
    if (first.kind != OperandKind::reg || !cursor_.accept('|')) return first;
    Operand pair = of(OperandKind::vector);
    pair.elements = {std::move(first), register_operand()};
    return pair;
  }

  Operand vector() {
    Operand operand = of(OperandKind::vector);
    do {
      const bool number = cursor_.peek().kind == TokenKind::number || cursor_.at('-');
      operand.elements.push_back(number ? immediate() : register_operand());
    } while (cursor_.accept(','));
    cursor_.expect('}');
    return operand;
  }

  Operand address() {
    Operand operand = of(OperandKind::address);
    if (cursor_.peek().kind == TokenKind::word) {
      const Token& token = cursor_.next();
      operand.reg = scopes_.find_register(token.text);
      if (operand.reg < 0) unresolved(operand, token);
      if (cursor_.at('+') || cursor_.at('-')) operand.value = cursor_.signed_number("offset");
    } else {
      operand.value = cursor_.signed_number("address");
    }
    cursor_.expect(']');
    return operand;
  }

  Operand scalar() {
    if (cursor_.accept('!')) {
      Operand operand = register_operand();
      operand.negated = true;
      return operand;
    }
    if (cursor_.peek().kind != TokenKind::word) return immediate();
    const std::string_view name = cursor_.peek().text;
    if (scopes_.find_register(name) >= 0) return register_operand();
    if (is_special(name)) return special();
    Operand operand = of(OperandKind::symbol);
    unresolved(operand, cursor_.next());
    if (cursor_.at('+') || cursor_.at('-')) operand.value = cursor_.signed_number("offset");
    return operand;
  }

  Operand special() {
    Operand operand = of(OperandKind::special);
    operand.name = cursor_.next().text;
    return operand;
  }

  Operand immediate() {
    Operand operand = of(OperandKind::immediate);
    operand.value = cursor_.signed_number("operand");
    return operand;
  }

  Operand register_operand() {
    const Token& token = cursor_.peek();
    Operand operand = of(OperandKind::reg);
    operand.reg = scopes_.find_register(cursor_.word("register"));
    if (operand.reg < 0) cursor_.fail("unknown register", token);
    return operand;
  }

  void unresolved(Operand& operand, const Token& token) {
    if (token.text[0] == '%') cursor_.fail("unknown register", token);
    operand.name = token.text;
    names_.push_back({static_cast<std::uint32_t>(instruction_.operands.size()), scopes_.current(), &token});
  }

  Cursor& cursor_;
  const Scopes& scopes_;
  std::vector<UnresolvedName>& names_;
  Instruction instruction_;
};

}  // namespace

Instruction parse_instruction(Cursor& cursor, const Scopes& scopes, std::vector<UnresolvedName>& names) {
  return InstructionParser(cursor, scopes, names).parse();
}

}  // namespace quadpair::ptx
