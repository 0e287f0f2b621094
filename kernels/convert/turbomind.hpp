// TurboMind's layout of NVFP4 weights: packing from a checkpoint, and scales restored from QPN2's. The
// contract.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/common/global_parts.hpp"
#include "kernels/common/launch.hpp"

namespace quadpair::convert {

/// Bytes of the codes u32 [padded N/32][K/8][32 columns].
constexpr std::size_t turbomind_code_bytes(std::uint32_t padded_n, std::uint32_t k) {
  return std::size_t{padded_n} * k / 2;
}

/// Bytes of the persistent scales f16 [K/16][padded N].
constexpr std::size_t turbomind_scale_bytes(std::uint32_t padded_n, std::uint32_t k) {
  return std::size_t{padded_n} * k / 8;
}

/// A checkpoint matrix on the device, as in PackArguments (pack_qpn2.hpp). An output that is 0 is not
/// written.
struct PackTurbomindArguments {
  std::uint32_t n = 0, k = 0, halves = 1;
  DevicePtr codes = 0, scales = 0;
  GlobalParts globals;          ///< in tiles of the padded matrix
  DevicePtr packed_codes = 0;   ///< u32 [padded N/32][K/8][32]: the 8 physical nibbles, lowest first
  DevicePtr packed_scales = 0;  ///< f16 [K/16][padded N]: h(f(e4m3) . g)
};

/// The launches that pack codes and scales; rows past the logical n become zero codes and zero scales. Throws
/// Refused as pack_qpn2().
std::vector<Launch> pack_turbomind(const PackTurbomindArguments& arguments, Target target);

struct RestoreArguments {
  std::uint32_t padded_n = 0, k = 0;
  DevicePtr qpn2_scales = 0;  ///< u8 [padded N/32][K/16][32]
  GlobalParts globals;
  DevicePtr scales = 0;  ///< f16 [K/16][padded N], bit-identical to pack_turbomind()'s
};

/// The launches that restore the persistent scales. Throws Refused.
std::vector<Launch> restore_tm_scales(const RestoreArguments& arguments, Target target);

}  // namespace quadpair::convert
