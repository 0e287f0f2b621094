// The lanes of a warp.
#pragma once

#include <cstdint>

namespace quadpair::emulator {

inline constexpr std::uint32_t kWarpLanes = 32;
inline constexpr std::uint32_t kAllLanes = ~0u;

}  // namespace quadpair::emulator
