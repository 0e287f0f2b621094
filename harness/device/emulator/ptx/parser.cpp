#include "harness/device/emulator/ptx/parser.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "harness/device/emulator/ptx/cursor.hpp"
#include "harness/device/emulator/ptx/entry_parser.hpp"
#include "harness/device/emulator/ptx/warpgroup.hpp"

namespace quadpair::ptx {
namespace {

class ModuleParser {
 public:
  ModuleParser(std::string_view ptx, std::string_view name) : cursor_(ptx, name) {}

  Program parse() {
    version();
    target();
    while (!cursor_.at_end()) directive();
    return std::move(program_);
  }

 private:
  void version() {
    if (!cursor_.accept(".version")) cursor_.fail(".version expected");
    if (cursor_.peek().kind != TokenKind::decimal) cursor_.fail("version number expected");
    program_.version = cursor_.next().text;
  }

  void target() {
    if (!cursor_.accept(".target")) cursor_.fail(".target expected");
    program_.target = cursor_.word("target");
    while (cursor_.accept(',')) cursor_.word("target option");
  }

  void directive() {
    const Token& token = cursor_.peek();
    const std::string_view name = cursor_.directive("directive");
    if (name == ".address_size") {
      if (cursor_.number("address size") != 64) cursor_.fail("only 64-bit addresses are supported", token);
    } else if (name == ".file") {
      file();
    } else if (name == ".section") {
      skip_section();
    } else if (name == ".pragma") {
      skip_pragma(cursor_);
    } else {
      declaration(name, token);
    }
  }

  /// `.file id "path" [, timestamp, size]`
  void file() {
    const std::uint32_t id = cursor_.small_number("file number");
    program_.files.push_back({id, std::string(cursor_.string("path"))});
    while (cursor_.accept(',')) cursor_.number("number");
  }

  /// `.section name { ... }`: debug information, of no use here.
  void skip_section() {
    cursor_.next();
    cursor_.expect('{');
    while (!cursor_.accept('}')) {
      if (cursor_.at_end()) cursor_.fail("section without an end");
      cursor_.next();
    }
  }

  void declaration(std::string_view name, const Token& token) {
    bool is_extern = false;
    while (name == ".visible" || name == ".weak" || name == ".extern") {
      is_extern |= name == ".extern";
      name = cursor_.directive("directive");
    }
    if (name == ".entry") {
      entry(token);
    } else if (name == ".shared") {
      add(variables_.shared, parse_shared(cursor_, is_extern), token);
    } else if (name == ".func") {
      function(token);
    } else if (name == ".global" || name == ".const") {
      add(variables_.unsupported, parse_variable(cursor_), token);
      skip_initial_value(token);
    } else {
      cursor_.fail("unknown directive", token);
    }
  }

  void add(NameMap<Variable>& variables, const Variable& variable, const Token& token) {
    if (!variables.emplace(variable.name, variable).second) cursor_.fail("variable declared twice", token);
  }

  void skip_initial_value(const Token& token) {
    while (!cursor_.accept(';')) {
      if (cursor_.at_end()) cursor_.fail("variable without an end", token);
      cursor_.next();
    }
  }

  void entry(const Token& token) {
    Entry entry;
    parse_entry_header(cursor_, entry);
    const auto same = [&](const Entry& other) { return other.name == entry.name; };
    if (std::any_of(program_.entries.begin(), program_.entries.end(), same))
      cursor_.fail("entry declared twice", token);
    parse_entry_body(cursor_, variables_, entry);
    keep_accumulators(entry);
    program_.entries.push_back(std::move(entry));
  }

  /// Only a declaration: `.func (results) name (parameters);`
  void function(const Token& token) {
    while (!cursor_.accept(';')) {
      if (cursor_.at('{') || cursor_.at_end()) cursor_.fail("device functions are not supported", token);
      cursor_.next();
    }
  }

  Cursor cursor_;
  ModuleVariables variables_;
  Program program_;
};

}  // namespace

Program parse(std::string_view ptx, std::string_view name) {
  return ModuleParser(ptx, name).parse();
}

}  // namespace quadpair::ptx
