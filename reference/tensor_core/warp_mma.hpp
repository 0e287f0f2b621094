// A whole warp's matrix instruction on fragments held as vectors of 32 lanes: what the emulator calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/plan.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::reference {

/// Executes one mma.sync ...row.col.f32.f16.f16.f32 of a full warp. A register is 32 consecutive uint32 (one
/// a lane), 64-byte aligned at `file + operands[i]`. `operands` lists byte offsets:
///   m8n8k4: d[8], c[8], a[2], b[2]    m16n8k8: d[4], c[4], a[2], b[1]    m16n8k16: d[4], c[4], a[4], b[2]
/// with the fragment layouts of the PTX ISA (m8n8k4: one 8x8x4 product per quad-pair). All operands are
/// read before any of d is written, so that registers may be shared.
using WarpMma = void (*)(std::byte* file, const std::uint32_t* operands);

/// The fastest implementation for this CPU; throws std::invalid_argument unless defines(model, shape).
WarpMma warp_mma(Model model, MmaShape shape);

/// The same from scalar fused_sum, for tests.
WarpMma warp_mma_scalar(Model model, MmaShape shape);

}  // namespace quadpair::reference
