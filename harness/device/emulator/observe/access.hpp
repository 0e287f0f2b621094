// A memory instruction as its observer knows it.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/device/emulator/lanes.hpp"

namespace quadpair::emulator {

enum class Space : std::uint8_t { generic, global, shared, parameter };

struct Access {
  Space space = Space::global;
  bool store = false;
  bool whole_warp = false;               ///< ldmatrix: what one lane loads comes from many lanes' addresses
  std::uint32_t bytes = 0;               ///< at each lane's address
  std::uint32_t lanes = kAllLanes;       ///< whose addresses count
  std::uint32_t result_bytes = 0;        ///< of a lane of each result
  std::vector<std::uint32_t> results{};  ///< of a load: offsets in the register file
};

}  // namespace quadpair::emulator
