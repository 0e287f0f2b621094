#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/device/emulator/ptx/declarations.hpp"
#include "harness/device/emulator/ptx/entry_parser.hpp"
#include "harness/device/emulator/ptx/instruction_parser.hpp"
#include "harness/device/emulator/ptx/scopes.hpp"

namespace quadpair::ptx {
namespace {

constexpr std::size_t most_registers = 1u << 17;  ///< far above what compilers emit

class BodyParser {
 public:
  BodyParser(Cursor& cursor, const ModuleVariables& module, Entry& entry)
      : cursor_(cursor), entry_(entry), scopes_(entry.registers), names_(entry, module) {}

  void parse() {
    cursor_.expect('{');
    while (!cursor_.at('}') || !scopes_.outermost()) statement();
    names_.resolve(cursor_, scopes_);
    cursor_.expect('}');
  }

 private:
  void statement() {
    if (cursor_.accept('{')) {
      scopes_.open();
    } else if (cursor_.accept('}')) {
      scopes_.close();
    } else if (cursor_.peek().kind == TokenKind::directive) {
      directive();
    } else if (cursor_.peek().kind == TokenKind::word && Cursor::is(cursor_.peek(1), ':')) {
      label();
    } else {
      instruction();
    }
  }

  void directive() {
    const Token& token = cursor_.next();
    if (token.text == ".loc") {
      location();
    } else if (token.text == ".reg") {
      registers();
    } else if (token.text == ".shared") {
      shared(token, false);
    } else if (token.text == ".extern" && cursor_.accept(".shared")) {
      shared(token, true);
    } else if (token.text == ".pragma") {
      skip_pragma(cursor_);
    } else if (token.text == ".local" || token.text == ".const" || token.text == ".global" ||
               token.text == ".param") {
      cursor_.fail("variables of this space are not supported", token);
    } else {
      cursor_.fail("unknown directive", token);
    }
  }

  /// `.loc file line column [, function_name label [+ n], inlined_at file line column]`, without a ';'.
  void location() {
    file_ = cursor_.small_number("file");
    line_ = cursor_.small_number("line");
    cursor_.small_number("column");
    caller_file_ = caller_line_ = 0;
    while (cursor_.accept(',')) {
      const Token& token = cursor_.peek();
      const std::string_view attribute = cursor_.word("attribute of .loc");
      if (attribute == "function_name") {
        cursor_.word("label");
        if (cursor_.accept('+')) cursor_.small_number("offset");
      } else if (attribute == "inlined_at") {
        caller_file_ = cursor_.small_number("file");
        caller_line_ = cursor_.small_number("line");
        cursor_.small_number("column");
      } else {
        cursor_.fail("unknown attribute of .loc", token);
      }
    }
  }

  /// `.reg .type name, name<count>, ...;`: name<3> stands for name0, name1, name2.
  void registers() {
    const RegisterClass cls = parse_register_class(cursor_);
    do {
      const Token& token = cursor_.peek();
      const std::string name{cursor_.word("register")};
      if (cursor_.accept('<')) {
        const std::uint32_t count = cursor_.small_number("number of registers");
        cursor_.expect('>');
        for (std::uint32_t i = 0; i < count; ++i) add_register(name + std::to_string(i), cls, token);
      } else {
        add_register(name, cls, token);
      }
    } while (cursor_.accept(','));
    cursor_.expect(';');
  }

  void add_register(std::string name, RegisterClass cls, const Token& token) {
    if (entry_.registers.size() == most_registers) cursor_.fail("too many registers", token);
    if (!scopes_.declare_register(std::move(name), cls)) cursor_.fail("register declared twice", token);
  }

  void shared(const Token& token, bool is_extern) {
    if (!names_.add_shared(parse_shared(cursor_, is_extern)))
      cursor_.fail("shared variable declared twice", token);
  }

  void label() {
    const Token& token = cursor_.next();
    cursor_.expect(':');
    const auto at = static_cast<std::uint32_t>(entry_.instructions.size());
    if (!scopes_.declare_label(token.text, at)) cursor_.fail("label declared twice", token);
  }

  void instruction() {
    names_of_instruction_.clear();
    Instruction parsed = parse_instruction(cursor_, scopes_, names_of_instruction_);
    parsed.source_file = file_;
    parsed.source_line = line_;
    parsed.caller_file = caller_file_;
    parsed.caller_line = caller_line_;
    for (const UnresolvedName& name : names_of_instruction_)
      names_.add_name(entry_.instructions.size(), name);
    entry_.instructions.push_back(std::move(parsed));
  }

  Cursor& cursor_;
  Entry& entry_;
  Scopes scopes_;
  NameResolver names_;
  std::vector<UnresolvedName> names_of_instruction_;
  std::uint32_t file_ = 0, line_ = 0, caller_file_ = 0, caller_line_ = 0;
};

}  // namespace

void parse_entry_body(Cursor& cursor, const ModuleVariables& module, Entry& entry) {
  BodyParser(cursor, module, entry).parse();
}

}  // namespace quadpair::ptx
