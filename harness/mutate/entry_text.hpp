// A module cut down to one entry, whose instructions can be exchanged one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/device/emulator/ptx/replacement.hpp"
#include "harness/mutate/equivalence/admitted.hpp"
#include "kernels/common/module.hpp"

namespace quadpair::mutate {

/// An instruction of an entry and where it stands.
struct Place {
  std::string text;            ///< as ptx::Instruction::text has it
  std::uint32_t ptx_line = 0;  ///< of the whole module
  std::string source, caller;  ///< "kernels/qpn2/tile.cuh:20", and where that is inlined
};

class EntryText {
 public:
  /// Throws std::invalid_argument where the module has no such entry.
  EntryText(const Module& module, std::string_view entry);
  EntryText(const EntryText&) = delete;
  EntryText& operator=(const EntryText&) = delete;

  /// With the one entry.
  const Module& module() const { return module_; }
  /// As `module` says, but for shared memory, where every variable lies 1 KiB further on.
  const ptx::Program& program() const { return program_; }
  const ptx::Entry& entry() const { return program_.entries.front(); }
  const std::vector<Place>& places() const { return places_; }
  /// What it may be launched with.
  const Admitted& admitted() const { return admitted_; }

 private:
  std::string ptx_, sha256_;
  Module module_;
  ptx::Program program_;
  std::vector<Place> places_;
  Admitted admitted_;
};

/// The entry with one instruction exchanged, another one each time.
class DamagedEntry {
 public:
  /// `sound` outlives it.
  explicit DamagedEntry(const EntryText& sound);

  /// With `text` (without ';') in the place; empty: without the instruction. Throws ptx::ParseError.
  const ptx::Program& with(std::size_t place, std::string_view text);

  /// What stands there now; null where an instruction is left out.
  const ptx::Instruction* damaged() const;

 private:
  const EntryText& sound_;
  ptx::Replacements replacements_;
  ptx::Program program_;
  std::size_t place_ = 0;  ///< of what differs
};

}  // namespace quadpair::mutate
