#include "harness/device/emulator/ptx/name_resolver.hpp"

#include <algorithm>
#include <string>

namespace quadpair::ptx {
namespace {

constexpr std::uint32_t most_shared_bytes = 1u << 20;  ///< above any device's limit

}  // namespace

Variable parse_shared(Cursor& cursor, bool is_extern) {
  const Token& token = cursor.peek();
  Variable variable = parse_variable(cursor);
  if (variable.size == 0 && !is_extern) cursor.fail("shared variable without a size", token);
  if (variable.size != 0 && is_extern) cursor.fail("extern shared variable with a size", token);
  if (cursor.at('=')) cursor.fail("shared variables have no initial value");
  cursor.expect(';');
  return variable;
}

NameResolver::NameResolver(Entry& entry, const ModuleVariables& module) : entry_(entry), module_(module) {
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) parameters_.emplace(entry.parameters[i].name, i);
}

bool NameResolver::add_shared(const Variable& variable) {
  if (!shared_.try_emplace(variable.name, entry_.shared.size()).second) return false;
  entry_.shared.push_back({variable.name, 0, variable.size, variable.align});
  return true;
}

void NameResolver::resolve(const Cursor& cursor, const Scopes& scopes) {
  std::vector<Place> in_shared;
  for (const Place& place : names_) {
    if (resolve_label(place, scopes)) continue;
    if (find_shared(place)) {
      in_shared.push_back(place);
    } else if (!resolve_parameter(place)) {
      fail_unknown(place, cursor);
    }
  }
  lay_out_shared(cursor);
  for (const Place& place : in_shared) {
    Operand& target = operand(place);
    target.value += entry_.shared[shared_.find(target.name)->second].offset;
  }
}

Operand& NameResolver::operand(const Place& place) {
  return entry_.instructions[place.instruction].operands[place.name.operand];
}

bool NameResolver::resolve_label(const Place& place, const Scopes& scopes) {
  Operand& target = operand(place);
  const auto label = scopes.find_label(target.name, place.name.scope);
  if (!label || target.kind != OperandKind::symbol || target.value != 0) return false;
  target.kind = OperandKind::label;
  target.value = *label;
  return true;
}

bool NameResolver::find_shared(const Place& place) {
  const std::string& name = operand(place).name;
  if (shared_.contains(name)) return true;
  const auto found = module_.shared.find(name);
  return found != module_.shared.end() && add_shared(found->second);
}

bool NameResolver::resolve_parameter(const Place& place) {
  Operand& target = operand(place);
  const auto found = parameters_.find(target.name);
  if (found == parameters_.end()) return false;
  target.value += entry_.parameters[found->second].offset;
  return true;
}

void NameResolver::fail_unknown(const Place& place, const Cursor& cursor) {
  const bool declared = module_.unsupported.contains(operand(place).name);
  cursor.fail(declared ? "global and constant variables are not supported" : "unknown name",
              *place.name.token);
}

void NameResolver::lay_out_shared(const Cursor& cursor) {
  std::uint32_t end = 0, dynamic_align = 1;
  for (SharedVariable& variable : entry_.shared) {
    if (variable.size == 0) {
      dynamic_align = std::max(dynamic_align, variable.align);
      continue;
    }
    variable.offset = align_up(end, variable.align);
    end = variable.offset + variable.size;
    if (end > most_shared_bytes) cursor.fail("too much shared memory");
  }
  entry_.shared_bytes = align_up(end, dynamic_align);
  for (SharedVariable& variable : entry_.shared)
    if (variable.size == 0) variable.offset = entry_.shared_bytes;
}

}  // namespace quadpair::ptx
