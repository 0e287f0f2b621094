// The QPN2 layout of NVFP4 weights: pure permutations, shared by kernels and reference as a contract.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quadpair::qpn2 {

inline constexpr std::uint32_t tile_columns = 32;  ///< output features of one tile: one warp
inline constexpr std::uint32_t group_k = 16;       ///< k that share one block scale

/// Column (0..31) of the 32-column tile that lane l (0..31) of a warp holds: lane bits 2..3 choose the
/// quad-pair, and so a block of 8 columns; bits 0, 1 and 4 the column inside it.
constexpr std::uint32_t column_of_lane(std::uint32_t l) {
  return 8 * ((l >> 2) & 3) + (l & 3) + ((l & 16) != 0 ? 4 : 0);
}

/// The inverse of column_of_lane.
constexpr std::uint32_t lane_of_column(std::uint32_t c) {
  return 4 * (c >> 3) + (c & 3) + ((c & 4) != 0 ? 16 : 0);
}

/// Logical k offset, within a run of 8, at physical position p (0..7): [0,2,4,6,1,3,5,7].
constexpr std::uint32_t logical_of_physical(std::uint32_t p) {
  return 2 * (p & 3) + (p >> 2);
}

/// How codes are laid out on the device; the kernels read either, with equal results.
enum class CodeLayout {
  qpn2,      ///< u8 [padded N/32][K/16][32 lanes][8]
  turbomind  ///< u32 [padded N/32][K/8][32 columns] (kernels/convert/turbomind.hpp): "shared" with tm_gemm
};

constexpr std::uint32_t pad_to_tile(std::uint32_t n) {
  return (n + tile_columns - 1) / tile_columns * tile_columns;
}

/// Padded rows of a fused gate/up matrix of n logical rows: each half is padded by itself.
constexpr std::uint32_t pad_gated(std::uint32_t n) {
  return 2 * pad_to_tile(n / 2);
}

/// Bytes of the codes buffer u8 [N/32][K/16][32][8]. `padded_n` is a multiple of 32.
constexpr std::size_t code_bytes(std::uint32_t padded_n, std::uint32_t k) {
  return std::size_t{padded_n} * k / 2;
}

/// Bytes of the scales buffer u8 [N/32][K/16][32].
constexpr std::size_t scale_bytes(std::uint32_t padded_n, std::uint32_t k) {
  return std::size_t{padded_n} * k / 16;
}

}  // namespace quadpair::qpn2
