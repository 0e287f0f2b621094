// silu_and_mul: y = silu(gate) * up from a [M, 2.] FP16 matrix. The contract.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/common/launch.hpp"

namespace quadpair::wide {

/// x is FP16 [m, ldx] with gate = columns [0, columns) and up = columns [up, up + columns); y is [m,
/// columns]. The arithmetic of each element is qpn2_gated's (kernels/qpn2/gated.hpp).
struct SiluAndMulArguments {
  std::uint32_t m = 0;  ///< 0 launches nothing
  std::uint32_t columns = 0, up = 0;
  DevicePtr x = 0;
  std::uint32_t ldx = 0;  ///< elements, >= up + columns
  DevicePtr y = 0;
  std::uint32_t ldy = 0;  ///< elements, >= columns
};

/// Any alignment of 2 bytes will do. Throws Refused.
std::vector<Launch> silu_and_mul(const SiluAndMulArguments& arguments, Target target);

}  // namespace quadpair::wide
