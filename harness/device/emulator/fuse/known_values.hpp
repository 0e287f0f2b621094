// What registers of a basic block are known to hold, as far as a later instruction can take it in.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::emulator {

/// A register at one moment: valid as long as nothing has written the register since.
struct Source {
  int reg = -1;
  std::uint32_t version = 0;
};

struct Constant {
  std::uint64_t value = 0;
};

/// (source rotated left by `rotation`) & mask, of 32 bits: shifts by constants and masks, in any order.
struct Field {
  Source source;
  std::uint32_t rotation = 0, mask = ~0u;

  Field shifted_left(std::uint32_t amount) const;
  Field shifted_right(std::uint32_t amount) const;
  Field masked(std::uint32_t bits) const { return {source, rotation, mask & bits}; }
};

/// source + displacement, of 64 bits.
struct Offset {
  Source source;
  std::uint64_t displacement = 0;
};

/// source * factor, of 32 bits by 32 to 64.
struct WideProduct {
  Source source;
  std::uint64_t factor = 0;
  bool is_signed = false;
};

using KnownValue = std::variant<std::monostate, Constant, Field, Offset, WideProduct>;

/// Whether the instruction puts a constant into a register, in all lanes.
bool sets_constant(const ptx::Instruction& instruction);

class KnownValues {
 public:
  /// Registers with one definition, a constant, that may not be read before it hold it everywhere.
  KnownValues(const ptx::Entry& entry, const std::vector<std::uint32_t>& undefined);

  void begin_block();

  /// The register has been written; with what, where that is known.
  void define(int reg, KnownValue value);

  Source now(int reg) const { return {reg, versions_[static_cast<std::size_t>(reg)]}; }

  /// The value if its kind is T and what it is made of has not been written since.
  template <class T>
  std::optional<T> find(int reg) const {
    const auto* value = std::get_if<T>(&values_[static_cast<std::size_t>(reg)]);
    if (value == nullptr) return std::nullopt;
    if constexpr (requires { value->source; })
      if (versions_[static_cast<std::size_t>(value->source.reg)] != value->source.version)
        return std::nullopt;
    return *value;
  }

 private:
  std::vector<KnownValue> everywhere_, values_;
  std::vector<std::uint32_t> versions_;
};

}  // namespace quadpair::emulator
