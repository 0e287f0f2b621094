// Internal to the launch code: what the operators over the FP16 head require alike.
#pragma once

#include <string>

#include "kernels/common/check.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/lm_head/candidates.hpp"

namespace quadpair::lm_head {

inline void require_shape(const std::string& who, std::uint32_t n, std::uint32_t k) {
  require(n != 0, who + "N=0: no vocabulary rows");
  require(k != 0 && k % 64 == 0, who + "K=" + std::to_string(k) + ": not a positive multiple of 64");
}

inline void require_few_rows(const std::string& who, std::uint32_t m) {
  require(m <= max_rows, who + "M=" + std::to_string(m) + ": at most " + std::to_string(max_rows) + " rows");
}

inline void require_rows(const std::string& who, DevicePtr x, std::uint32_t ldx, std::uint32_t k) {
  require(x != 0 && x % 16 == 0, who + "x is null or not 16-byte aligned");
  require(ldx >= k && ldx % 8 == 0,
          who + "ldx=" + std::to_string(ldx) + ": not a multiple of 8 of at least K=" + std::to_string(k));
}

inline void require_logits(const std::string& who, DevicePtr logits, std::uint32_t ld, std::uint32_t n) {
  require(logits != 0 && logits % 16 == 0, who + "logits are null or not 16-byte aligned");
  require(ld >= n && ld % 8 == 0, who + "the logits' leading dimension " + std::to_string(ld) +
                                      " is not a multiple of 8 of at least N=" + std::to_string(n));
}

/// `pointer` is not null and aligned to `alignment` bytes.
inline void require_buffer(const std::string& who, const char* name, DevicePtr pointer,
                           std::uint32_t alignment) {
  require(pointer != 0 && pointer % alignment == 0,
          who + name + " are null or not " + std::to_string(alignment) + "-byte aligned");
}

}  // namespace quadpair::lm_head
