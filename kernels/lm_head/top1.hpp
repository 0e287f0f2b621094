// lm_head_top1: the first maximum of x . head^T by the tensor cores. The contract.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/common/launch.hpp"
#include "kernels/lm_head/candidates.hpp"
#include "kernels/qpn8/gemm.hpp"

namespace quadpair::lm_head {

/// Logits are summed in qpn8_gemm's order and rounded to FP16 before they are compared.
inline constexpr qpn8::Tuning top1_tuning{8, 1};

struct Top1Arguments {
  std::uint32_t m = 0;  ///< rows of x, 0..8
  std::uint32_t n = 0, k = 0;
  DevicePtr packed = 0;  ///< the head as pack_head() gives it
  DevicePtr x = 0;       ///< f16 [m, k], 16-byte aligned, ldx a multiple of 8
  std::uint32_t ldx = 0;
  DevicePtr logits = 0;  ///< workspace, f16 [m, ld], 16-byte aligned
  std::uint32_t ld = 0;  ///< at least n, a multiple of 8
  std::uint32_t first_id = 0;
  DevicePtr values = 0;  ///< f16 [m]
  DevicePtr ids = 0;     ///< u32 [m], first_id added
};

/// Throws Refused.
std::vector<Launch> top1(const Top1Arguments& arguments, Target target);

}  // namespace quadpair::lm_head
