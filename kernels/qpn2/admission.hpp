// Internal to the launch code: the checks that gemm() and gated() share.
#pragma once

#include "kernels/qpn2/gemm.hpp"

namespace quadpair::qpn2 {

inline constexpr std::uint32_t max_rows = 64;
/// Elements from one row of x to the next: kernels count those of a block, up to 31 rows, below 2^31.
inline constexpr std::uint32_t max_ldx = 1U << 26;

/// Throws Refused, naming the operator and the rule, unless shape, tuning, buffers and leading dimensions are
/// admitted. With m = 0 only shape and tuning are looked at.
void require_admitted(const GemmArguments& arguments, Tuning tuning, Target target, bool gated);

}  // namespace quadpair::qpn2
