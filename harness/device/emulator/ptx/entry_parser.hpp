// One entry: parameters, performance directives, body.
#pragma once

#include "harness/device/emulator/ptx/cursor.hpp"
#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/device/emulator/ptx/name_resolver.hpp"

namespace quadpair::ptx {

/// Parses what follows .entry up to the '{' of the body: name, parameters, performance directives.
void parse_entry_header(Cursor& cursor, Entry& entry);

/// Parses the body, '{' to '}'.
void parse_entry_body(Cursor& cursor, const ModuleVariables& module, Entry& entry);

/// What follows .pragma: a string and ';'.
void skip_pragma(Cursor& cursor);

}  // namespace quadpair::ptx
