// What the names in an entry's operands stand for: labels, shared variables, parameters.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/device/emulator/ptx/cursor.hpp"
#include "harness/device/emulator/ptx/declarations.hpp"
#include "harness/device/emulator/ptx/instruction_parser.hpp"
#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/device/emulator/ptx/scopes.hpp"

namespace quadpair::ptx {

/// Variables that a module declares outside its entries, by name.
struct ModuleVariables {
  NameMap<Variable> shared;
  NameMap<Variable> unsupported;  ///< .global and .const: accepted as long as no entry names them
};

/// What follows .shared up to the ';', for .extern .shared as well.
Variable parse_shared(Cursor& cursor, bool is_extern);

/// Collects names while a body is read, and settles them at its end.
class NameResolver {
 public:
  NameResolver(Entry& entry, const ModuleVariables& module);

  /// A variable declared in the body; false if the entry already has that name.
  bool add_shared(const Variable& variable);

  /// A name that the entry's instruction number `instruction` holds.
  void add_name(std::size_t instruction, const UnresolvedName& name) {
    names_.push_back({instruction, name});
  }

  /// Lays out shared memory (variables of the module only where they are named; dynamic ones after the
  /// static) and puts values into operands. Throws ParseError for a name that stands for nothing.
  void resolve(const Cursor& cursor, const Scopes& scopes);

 private:
  struct Place {
    std::size_t instruction;
    UnresolvedName name;
  };

  Operand& operand(const Place& place);
  bool resolve_label(const Place& place, const Scopes& scopes);
  bool resolve_parameter(const Place& place);
  bool find_shared(const Place& place);
  [[noreturn]] void fail_unknown(const Place& place, const Cursor& cursor);
  void lay_out_shared(const Cursor& cursor);

  Entry& entry_;
  const ModuleVariables& module_;
  NameMap<std::size_t> parameters_, shared_;  ///< indices into the entry's lists
  std::vector<Place> names_;
};

}  // namespace quadpair::ptx
