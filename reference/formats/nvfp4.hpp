// NVFP4 matrices in checkpoint layout, as the reference sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace quadpair::reference {

inline constexpr std::uint32_t tile_rows = 32;  ///< of W: columns of the product that are laid out together
inline constexpr std::uint32_t group_k = 16;    ///< k that share one block scale

/// A view of a checkpoint's matrix. W[row, k] = e2m1(code) . e4m3(scale) . g.
struct Nvfp4View {
  std::uint32_t n = 0, k = 0;            ///< logical rows (output features), input features
  std::uint32_t halves = 1;              ///< 2 for a fused gate/up matrix: each half is padded by itself
  std::span<const std::uint8_t> codes;   ///< [n, k/2], even k in the low nibble
  std::span<const std::uint8_t> scales;  ///< [n, k/16], E4M3FN
  std::span<const float> globals;        ///< multipliers: one, or one per 32-row tile of the padded matrix
};

/// Row of the padded matrix at which logical row `row` stands.
std::uint32_t padded_row(const Nvfp4View& w, std::uint32_t row);
std::uint32_t padded_rows(const Nvfp4View& w);

/// The logical rows of a tile of the padded matrix: its first columns.
struct TileRows {
  std::uint32_t first = 0, count = 0;
};
TileRows rows_of_tile(const Nvfp4View& w, std::uint32_t tile);

/// Throws std::invalid_argument when the buffers do not have the shape that n, k and halves say.
void check_shape(const Nvfp4View& w);

inline constexpr std::size_t group_bytes = group_k / 2;  ///< of codes

/// The codes of a row's group, lowest first, in physical order: of each run of 8 k, 0,2,4,6,1,3,5,7.
std::uint64_t physical_group(const Nvfp4View& w, std::uint32_t row, std::uint32_t group);

std::uint8_t code_at(const Nvfp4View& w, std::uint32_t row, std::uint32_t k);

/// Which of the multipliers is a logical row's, and it.
std::size_t global_index(const Nvfp4View& w, std::uint32_t row);
float global_of(const Nvfp4View& w, std::uint32_t row);

}  // namespace quadpair::reference
