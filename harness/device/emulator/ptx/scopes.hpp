// Names in an entry's body: registers and labels by `{}` scope.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::ptx {

struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
};

template <class Value>
using NameMap = std::unordered_map<std::string, Value, NameHash, std::equal_to<>>;

/// Scopes are numbered in the order in which they open; 0 is the entry's own, open from the start.
class Scopes {
 public:
  explicit Scopes(std::vector<Register>& registers) : registers_(registers) { open(); }

  void open();
  void close() { current_ = scopes_[current_].parent; }
  std::uint32_t current() const { return current_; }
  bool outermost() const { return current_ == 0; }

  /// Adds a register to the current scope; false if the scope already has one of that name.
  bool declare_register(std::string name, RegisterClass cls);
  /// The register that `name` stands for here, or -1.
  int find_register(std::string_view name) const;
  RegisterClass class_of(int reg) const { return registers_[static_cast<std::size_t>(reg)].cls; }

  /// False if the current scope already has that label.
  bool declare_label(std::string_view name, std::uint32_t instruction);
  /// The label as seen from `scope`, open or closed.
  std::optional<std::uint32_t> find_label(std::string_view name, std::uint32_t scope) const;

 private:
  struct Scope {
    std::uint32_t parent = 0;
    NameMap<int> registers;
    NameMap<std::uint32_t> labels;
  };

  std::vector<Register>& registers_;
  std::vector<Scope> scopes_;
  std::uint32_t current_ = 0;
};

}  // namespace quadpair::ptx
