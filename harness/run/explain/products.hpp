// The products of one matrix instruction, as a device took them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/device/history.hpp"
#include "kernels/common/plan.hpp"

namespace quadpair::run {

struct DeviceProduct {
  std::uint16_t x = 0, w = 0;           ///< FP16
  device::Piece x_piece, w_piece;       ///< of the instruction's operands
  std::optional<std::uint32_t> row, k;  ///< of the activation, where it was read from x
};

/// Of an mma node: m8n8k4 takes activations as its a, m16n8k16 weights, wgmma either. `ldx` in elements.
std::vector<DeviceProduct> products_of(const device::History& history, std::uint32_t step, MmaShape shape,
                                       std::uint32_t ldx);

}  // namespace quadpair::run
