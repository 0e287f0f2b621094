#include "harness/device/emulator/special.hpp"

#include <utility>

namespace quadpair::emulator {

std::optional<SpecialRegister> special_register(std::string_view name) {
  using enum SpecialRegister;
  constexpr std::pair<std::string_view, SpecialRegister> registers[] = {
      {"%tid.x", tid_x},
      {"%tid.y", tid_y},
      {"%tid.z", tid_z},
      {"%ntid.x", ntid_x},
      {"%ntid.y", ntid_y},
      {"%ntid.z", ntid_z},
      {"%ctaid.x", ctaid_x},
      {"%ctaid.y", ctaid_y},
      {"%ctaid.z", ctaid_z},
      {"%nctaid.x", nctaid_x},
      {"%nctaid.y", nctaid_y},
      {"%nctaid.z", nctaid_z},
      {"%laneid", laneid},
      {"%warpid", warpid},
      {"%nwarpid", nwarpid},
      {"%lanemask_eq", lanemask_eq},
      {"%lanemask_lt", lanemask_lt},
      {"%lanemask_le", lanemask_le},
      {"%lanemask_gt", lanemask_gt},
      {"%lanemask_ge", lanemask_ge},
  };
  for (const auto& [known, which] : registers)
    if (known == name) return which;
  return std::nullopt;
}

}  // namespace quadpair::emulator
