// What a call is refused for.
#pragma once

#include <functional>
#include <string>

#include "kernels/common/error.hpp"
#include "kernels/common/target.hpp"

namespace quadpair::testing {

inline constexpr Target all_targets[] = {Target::sm70, Target::sm80, Target::sm90};

/// The message of the refusal that a call throws.
inline std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "admitted";
}

}  // namespace quadpair::testing
