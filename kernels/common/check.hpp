// A check of the caller's arguments. Checks of the device are in cuda_runtime.hpp.
#pragma once

#include <string>

#include "kernels/common/error.hpp"

namespace quadpair {

/// Throws Refused with the message unless the condition holds.
inline void require(bool condition, const std::string& message) {
  if (!condition) throw Refused(message);
}

}  // namespace quadpair
