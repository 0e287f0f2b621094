// silu_and_mul on the CPU.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/formats/fp16.hpp"

namespace quadpair::reference {

/// y[m, columns] = h(silu(gate) . up): x is FP16 [m, .] with leading dimension ldx (elements), gate its
/// columns [0, columns), up its columns [up, up + columns).
std::vector<Half> silu_and_mul(const Half* x, std::uint32_t m, std::uint32_t columns, std::uint32_t up,
                               std::uint32_t ldx);

}  // namespace quadpair::reference
