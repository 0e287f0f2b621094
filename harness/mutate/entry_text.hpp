// A module cut down to one entry, whose instructions can be exchanged one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/common/module.hpp"

namespace quadpair::mutate {

/// An instruction of an entry and where it stands.
struct Place {
  std::string text;                ///< as ptx::Instruction::text has it
  std::uint32_t ptx_line = 0;      ///< of the whole module
  std::string source, caller;      ///< "kernels/qpn2/tile.cuh:20", and where that is inlined
  std::size_t begin = 0, end = 0;  ///< of the cut module's text, the ';' included
  std::vector<int> defs;           ///< registers that it writes
};

class EntryText {
 public:
  /// Throws std::invalid_argument where the module has no such entry, or an instruction cannot be found.
  EntryText(const Module& module, std::string_view entry);

  const std::string& ptx() const { return ptx_; }
  const std::vector<Place>& places() const { return places_; }

  /// The module with `text` (without ';') in place of an instruction; empty: without it.
  std::string with(std::size_t place, std::string_view text) const;

 private:
  std::string ptx_;
  std::vector<Place> places_;
};

}  // namespace quadpair::mutate
