// qpn8_quantize: FP16 rows to FP8 with a scale each. The contract.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/common/launch.hpp"

namespace quadpair::qpn8 {

/// w is FP16 [n, k], row-major without gaps. Per row: scale = max(amax / 448, FP32's least normal number),
/// code = E4M3FN, nearest even, of x / scale clamped to [-448, 448]; both divisions are IEEE FP32. A row of
/// zeros gives zero codes. NaN and infinities are the caller's to refuse (the kernel does not look for them).
struct QuantizeArguments {
  std::uint32_t n = 0, k = 0;
  DevicePtr w = 0;       ///< 16-byte aligned
  DevicePtr codes = 0;   ///< u8 [n, k], row-major as in a checkpoint, 8-byte aligned
  DevicePtr scales = 0;  ///< f32 [n]
};

/// Throws Refused unless n is positive and k a positive multiple of 64.
std::vector<Launch> quantize(const QuantizeArguments& arguments, Target target);

}  // namespace quadpair::qpn8
