// From the checkpoint's NVFP4 layout to the QPN2 buffers. The contract.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/common/launch.hpp"

namespace quadpair::convert {

/// A checkpoint matrix on the device: codes u8 [n, k/2] (even k in the low nibble), scales u8 [n, k/16],
/// both row-major. `halves` is 2 for a fused gate/up matrix, whose halves are padded to 32 rows each; else 1.
struct PackArguments {
  std::uint32_t n = 0, k = 0, halves = 1;
  DevicePtr codes = 0, scales = 0;
  DevicePtr packed_codes = 0;   ///< u8 [padded N/32][K/16][32][8], or 0: codes are not packed
  DevicePtr packed_scales = 0;  ///< u8 [padded N/32][K/16][32]
};

/// The launches that pack codes and scales; rows past the logical n become zero codes and zero scales.
/// Throws Refused unless k is a multiple of 64 and n a positive multiple of `halves`.
std::vector<Launch> pack_qpn2(const PackArguments& arguments, Target target);

/// G = h(g . 2^14), FP16 bits.
std::uint16_t global_half(float g);

/// What preparing a matrix found.
struct Preparation {
  std::vector<std::uint16_t> tile_global;  ///< global_half() per 32-row tile of the padded matrix
  std::uint64_t subnormal_weights = 0;     ///< nonzero codes whose decoded FP16 weight is subnormal or zero
};

/// Checks a matrix in host memory before it is packed and gives the FP16 global scales. `globals` holds one
/// multiplier g for all, or one per padded 32-row tile. Throws RangeError naming `tensor`, row, group and
/// value for a NaN or negative block scale, a g that is not positive and finite, a G that is not finite or
/// is 0, or a scale product h(h(e4m3).G) that is not finite.
Preparation prepare_qpn2(std::string_view tensor, std::uint32_t n, std::uint32_t k, std::uint32_t halves,
                         std::span<const std::uint8_t> codes, std::span<const std::uint8_t> scales,
                         std::span<const float> globals);

}  // namespace quadpair::convert
