#include "harness/device/emulator/ptx/scopes.hpp"

#include <utility>

namespace quadpair::ptx {

void Scopes::open() {
  scopes_.push_back({current_, {}, {}});
  current_ = static_cast<std::uint32_t>(scopes_.size()) - 1;
}

bool Scopes::declare_register(std::string name, RegisterClass cls) {
  const int index = static_cast<int>(registers_.size());
  if (!scopes_[current_].registers.try_emplace(name, index).second) return false;
  // A dot cannot occur in a declared name, so this is unique.
  if (!outermost()) name.append(1, '.').append(std::to_string(current_));
  registers_.push_back({std::move(name), cls});
  return true;
}

int Scopes::find_register(std::string_view name) const {
  for (std::uint32_t scope = current_;; scope = scopes_[scope].parent) {
    const auto found = scopes_[scope].registers.find(name);
    if (found != scopes_[scope].registers.end()) return found->second;
    if (scope == 0) return -1;
  }
}

bool Scopes::declare_label(std::string_view name, std::uint32_t instruction) {
  return scopes_[current_].labels.try_emplace(std::string(name), instruction).second;
}

std::optional<std::uint32_t> Scopes::find_label(std::string_view name, std::uint32_t scope) const {
  for (;; scope = scopes_[scope].parent) {
    const auto found = scopes_[scope].labels.find(name);
    if (found != scopes_[scope].labels.end()) return found->second;
    if (scope == 0) return std::nullopt;
  }
}

}  // namespace quadpair::ptx
