// What the handlers share that need no vectors.
#pragma once

#include <cstdint>
#include <cstring>

#include "harness/device/emulator/domain.hpp"
#include "harness/device/emulator/opcode.hpp"

namespace quadpair::emulator {

/// The lanes whose predicate holds (or does not, when `negated`).
inline std::uint32_t predicate_at(const std::byte* file, std::uint32_t offset, std::uint32_t negated) {
  std::uint32_t lanes;
  std::memcpy(&lanes, file + offset, sizeof lanes);
  return negated != 0 ? ~lanes : lanes;
}

/// An operand of a barrier, on which all lanes of the warp must agree.
std::uint32_t common_value(const Instruction* ip, const Context& context, const std::byte* file,
                           std::uint32_t offset);

}  // namespace quadpair::emulator
