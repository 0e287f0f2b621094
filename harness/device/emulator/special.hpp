// Special registers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/device/emulator/instruction.hpp"

namespace quadpair::emulator {

enum class SpecialRegister : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  lanemask_eq,
  lanemask_lt,
  lanemask_le,
  lanemask_gt,
  lanemask_ge,
};

/// "%tid.x" and so on; nothing for registers that differ from run to run (%clock, %smid) or are unknown.
std::optional<SpecialRegister> special_register(std::string_view name);

inline std::uint32_t special_value(SpecialRegister which, const Context& context, std::uint32_t lane) {
  const Dim3 size = context.block_size;
  const std::uint32_t thread = context.warp_index * kWarpLanes + lane;
  const std::uint32_t below = (1u << lane) - 1;
  switch (which) {
    case SpecialRegister::tid_x: return thread % size.x;
    case SpecialRegister::tid_y: return thread / size.x % size.y;
    case SpecialRegister::tid_z: return thread / size.x / size.y;
    case SpecialRegister::ntid_x: return size.x;
    case SpecialRegister::ntid_y: return size.y;
    case SpecialRegister::ntid_z: return size.z;
    case SpecialRegister::ctaid_x: return context.block_index.x;
    case SpecialRegister::ctaid_y: return context.block_index.y;
    case SpecialRegister::ctaid_z: return context.block_index.z;
    case SpecialRegister::nctaid_x: return context.grid_size.x;
    case SpecialRegister::nctaid_y: return context.grid_size.y;
    case SpecialRegister::nctaid_z: return context.grid_size.z;
    case SpecialRegister::laneid: return lane;
    case SpecialRegister::warpid: return context.warp_index;
    case SpecialRegister::nwarpid: return (size.x * size.y * size.z + kWarpLanes - 1) / kWarpLanes;
    case SpecialRegister::lanemask_eq: return 1u << lane;
    case SpecialRegister::lanemask_lt: return below;
    case SpecialRegister::lanemask_le: return below | 1u << lane;
    case SpecialRegister::lanemask_gt: return ~(below | 1u << lane);
    case SpecialRegister::lanemask_ge: return ~below;
  }
  return 0;
}

}  // namespace quadpair::emulator
