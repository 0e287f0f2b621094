// The FP16 head in the order of the tensor cores, for lm_head_top1 alone. The contract.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/common/launch.hpp"

namespace quadpair::lm_head {

/// Bytes of the packed head f16 [padded N/32][K/16][32 lanes][16]: physical half p as in QPN8 codes.
constexpr std::size_t packed_head_bytes(std::uint32_t padded_n, std::uint32_t k) {
  return std::size_t{padded_n} * k * 2;
}

struct PackHeadArguments {
  std::uint32_t n = 0, k = 0;  ///< k a multiple of 64
  DevicePtr head = 0;          ///< f16 [n, k], 16-byte aligned
  DevicePtr packed = 0;        ///< 16-byte aligned; rows past n become zero
};

/// Throws Refused.
std::vector<Launch> pack_head(const PackHeadArguments& arguments, Target target);

}  // namespace quadpair::lm_head
