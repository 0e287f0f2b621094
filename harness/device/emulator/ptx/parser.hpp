// PTX text to ptx::Program.
#pragma once

#include <stdexcept>
#include <string_view>

#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::ptx {

/// Text that is not PTX as this parser knows it: "NAME:LINE: what, near 'text'".
struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Parses a whole module: directives, entries, `{}` scopes, .loc/.file (kept), DWARF and debug sections
/// (skipped), a trailing NUL. Refused are device functions (.func with a body), entries that name
/// .global or .const variables or declare .local ones, and all directives that it does not know. Mnemonics
/// are not judged here: the executor refuses those it has no handler for.
Program parse(std::string_view ptx, std::string_view name);

}  // namespace quadpair::ptx
