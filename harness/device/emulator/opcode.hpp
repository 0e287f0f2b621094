// From a mnemonic to the handlers that execute it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "harness/device/emulator/instruction.hpp"

namespace quadpair::emulator {

/// Kinds of instructions, as the counts name them (see kind_name).
enum class Kind : std::uint8_t {
  integer,
  logic,
  fp16,
  fp32,
  convert,
  move,
  compare,
  load_param,
  load_global,
  store_global,
  load_shared,
  store_shared,
  load_generic,
  store_generic,
  copy_async,
  warp,
  barrier,
  branch,
  mma,
  other,
  count
};
std::string_view kind_name(Kind kind);

/// How the decoder reads an instruction's operands.
enum class Form : std::uint8_t {
  plain,    ///< destination and sources of the opcode's widths
  nothing,  ///< no effect, whatever the operands
  barrier,
  member_mask,    ///< one source
  wait_for_grid,  ///< no effect, but noted by the sanitizer
  release_grid,   ///< likewise
  mma,            ///< `widths` hold the registers of d, a, b, c
  shuffle,        ///< d|p, a, b, c, mask
  fields,         ///< made by fusion: a destination, bit fields, other sources
  constants,      ///< made by fusion: destinations and one constant
};

struct Handlers {
  Handler full = nullptr, masked = nullptr;
};

/// `widths` are in bits, destination first; 1 is a predicate, 0 ends the list. `immediate` is for a constant
/// as the last source, held in Instruction::immediate; where there is none the decoder keeps constants in
/// register slots of their own.
struct Opcode {
  std::string_view mnemonic;
  Kind kind = Kind::other;
  Form form = Form::plain;
  std::array<std::uint8_t, 5> widths{};
  Handlers registers, immediate;
};

/// Handlers that the decoder itself puts in; arrays are by register width (16, 32, 64 bits).
struct Utilities {
  Handlers jump, branch, exit, guarded_exit, join, guard, guard_all, unguard, barrier;
  Handlers copy[3], constant[3], copy_predicate, not_predicate, special;
  Handlers combine[3];  ///< of predicates: and, or, xor
  Handlers pack_2x16, pack_2x32, pack_4x16, unpack_2x16, unpack_2x32, unpack_4x16;
};

}  // namespace quadpair::emulator
