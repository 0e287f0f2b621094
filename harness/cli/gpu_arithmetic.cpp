#include "harness/cli/gpu_arithmetic.hpp"

namespace quadpair::cli {

std::optional<reference::Model> gpu_arithmetic(int major, int minor, Target target) {
  using enum reference::Model;
  switch (target) {
    case Target::sm70:
      if (major < 7) return std::nullopt;
      if (major > 7) return fma_lowered;
      return minor < 5 ? volta : turing;
    case Target::sm80:
      if (major < 8) return std::nullopt;
      return major == 8 ? ampere : hopper;
    case Target::sm90: return major == 9 ? std::optional(hopper) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace quadpair::cli
