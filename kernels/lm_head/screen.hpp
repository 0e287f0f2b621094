// lm_head_screen: FP16 logits of an FP8 head, and the 64 best of each chunk of the vocabulary. The contract.
#pragma once

#include <vector>

#include "kernels/common/launch.hpp"
#include "kernels/lm_head/candidates.hpp"
#include "kernels/qpn8/gemm.hpp"

namespace quadpair::lm_head {

inline constexpr qpn8::Tuning screen_tuning{8, 1};

struct ScreenArguments {
  /// The product: m in 0..8, channel scales; y is the FP16 logits [m, n], 16-byte aligned, ldy a multiple of
  /// 8 (an allocation of m . ldy elements).
  qpn8::GemmArguments gemm;
  DevicePtr candidates = 0;  ///< u32 [m][chunks(n)][64]: rows of this shard, best first
};

/// The launches: qpn8_gemm with screen_tuning, then the selection. Throws Refused.
std::vector<Launch> screen(const ScreenArguments& arguments, Target target);

}  // namespace quadpair::lm_head
