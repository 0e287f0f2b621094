// The QPN8 layout of FP8 weights: pure permutations, shared by kernels and reference as a contract.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/qpn2/layout.hpp"

namespace quadpair::qpn8 {

/// Side of the square block of weights that shares one FP32 scale.
inline constexpr std::uint32_t scale_block = 128;

enum class ScaleKind {
  channel,  ///< f16 [padded N]: h(scale . 256)
  block     ///< f16 [K/128][padded N/32]: h(scale[n/128][k/128] . 256)
};

/// Bytes of the codes u8 [padded N/32][K/16][32 lanes][16]: physical byte p of lane l in group (t, g) is row
/// 32t + column_of_lane(l), k = 16g + (p & 8) + logical_of_physical(p & 7) (kernels/qpn2/layout.hpp).
constexpr std::size_t code_bytes(std::uint32_t padded_n, std::uint32_t k) {
  return std::size_t{padded_n} * k;
}

constexpr std::size_t scale_bytes(ScaleKind kind, std::uint32_t padded_n, std::uint32_t k) {
  return kind == ScaleKind::channel ? std::size_t{padded_n} * 2
                                    : std::size_t{k / scale_block} * (padded_n / qpn2::tile_columns) * 2;
}

}  // namespace quadpair::qpn8
