// Declarations of variables and registers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/device/emulator/ptx/cursor.hpp"
#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::ptx {

/// A parameter or a shared variable that has no place yet. Size 0: an array without bounds (extern).
struct Variable {
  std::string name;
  std::uint32_t size = 0, align = 1;
};

/// What follows .param or .shared: `[.align N] .type [.ptr [.space] [.align N]] name{[N]}`.
Variable parse_variable(Cursor& cursor);

/// What follows .reg up to the type's end.
RegisterClass parse_register_class(Cursor& cursor);

/// The first multiple of `align` (a power of two) that is not below `offset`.
constexpr std::uint32_t align_up(std::uint32_t offset, std::uint32_t align) {
  return (offset + align - 1) & ~(align - 1);
}

}  // namespace quadpair::ptx
