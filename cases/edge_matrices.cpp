// Matrices at the edges of the formats, each small.
#include <algorithm>
#include <initializer_list>

#include "cases/made_up.hpp"
#include "kernels/qpn2/layout.hpp"

namespace quadpair::cases {
namespace {

struct Edge {
  std::string_view name;
  SliceShape shape;
  std::uint8_t lowest, highest;  ///< scale bytes, uniform between
  float g;
  void (*finish)(QuantizedMatrix&);  ///< what a uniform draw does not give, or nullptr
};

/// Each group holds all 16 codes in an order of its own; groups run through all scale bytes 0x00..0x7E.
void cover_codes_and_scales(QuantizedMatrix& matrix) {
  for (std::size_t group = 0; group < matrix.scales.size(); ++group) {
    matrix.scales[group] = static_cast<std::uint8_t>(group % 0x7F);
    const std::size_t turn = group / 0x7F * 5 + group, stride = 2 * (group % 8) + 1;  // odd: a permutation
    for (std::size_t pair = 0; pair < 8; ++pair) {
      const std::size_t low = (2 * pair * stride + turn) % 16, high = ((2 * pair + 1) * stride + turn) % 16;
      matrix.codes[8 * group + pair] = static_cast<std::uint8_t>(low | high << 4);
    }
  }
}

std::size_t tiles_of_half(const QuantizedMatrix& matrix) {
  return qpn2::pad_to_tile(matrix.n / matrix.halves) / qpn2::tile_columns;
}

/// Gate 1/2688, up 1/1344: tiles of 32 rows, each half padded by itself.
void different_halves(QuantizedMatrix& matrix) {
  const std::size_t tiles = tiles_of_half(matrix);
  matrix.globals.assign(tiles, 1.0f / 2688);
  matrix.globals.insert(matrix.globals.end(), tiles, 1.0f / 1344);
}

/// No tile has another's, and all are usual; a kernel argument holds eight.
void unequal_tiles(QuantizedMatrix& matrix) {
  const std::size_t tiles = matrix.halves * tiles_of_half(matrix);
  matrix.globals.clear();
  for (std::size_t tile = 0; tile < tiles; ++tile)
    matrix.globals.push_back(1.0f / static_cast<float>(1344 + 192 * tile));
}

/// The last tile of each half has another than the ones before.
void different_last_tiles(QuantizedMatrix& matrix) {
  const std::size_t tiles = tiles_of_half(matrix);
  matrix.globals.assign(matrix.halves * tiles, 1.0f / 2688);
  for (std::size_t half = 1; half <= matrix.halves; ++half) matrix.globals[half * tiles - 1] = 1.0f / 1344;
}

/// Tile by tile: two usual scales, the smallest whose G is not zero (every weight rounds to zero), one that
/// makes subnormal weights, and one that takes the largest scale byte to 3.5.
void different_tiles(QuantizedMatrix& matrix) {
  matrix.globals = {1.0f / 2688, 1.0f / 1344, 0x1.8p-39f, 0x1p-33f, 0x1p-7f};
}

/// All admissible scale bytes in turn, over eight global scales, one to a tile.
void sweep(QuantizedMatrix& matrix, std::initializer_list<float> globals) {
  cover_codes_and_scales(matrix);
  matrix.globals = globals;
}

/// From the largest that every scale byte admits down to where products are FP16-subnormal.
void sweep_powers(QuantizedMatrix& matrix) {
  sweep(matrix, {0x1p-7f, 0x1p-9f, 0x1p-12f, 0x1p-16f, 0x1p-20f, 0x1p-26f, 0x1p-33f, 0x1p-38f});
}

/// Long significands: products that must be rounded.
void sweep_fractions(QuantizedMatrix& matrix) {
  sweep(matrix, {0x1.2p-7f, 1.0f / 2688, 1.0f / 1344, 0x1.555556p-12f, 0x1.fffffep-10f, 0x1.000002p-11f,
                 0x1.99999ap-24f, 0x1.8p-39f});
}

/// More parts than a kernel argument holds.
void nine_parts(QuantizedMatrix& matrix) {
  matrix.globals.clear();
  for (int tile = 0; tile < 9; ++tile) matrix.globals.push_back(1.0f / static_cast<float>(1024 + tile));
}

/// Every third group, all of row 5 and the first group of every row.
void zero_scales(QuantizedMatrix& matrix) {
  const std::size_t groups = matrix.k / 16;
  for (std::size_t i = 0; i < matrix.scales.size(); ++i)
    if (i % 3 == 0 || i / groups == 5 || i % groups == 0) matrix.scales[i] = 0;
}

/// Gate row i is x's element at k = i, up row i its last one.
void pick_elements(QuantizedMatrix& matrix) {
  constexpr std::uint8_t one = 2;  // as E2M1
  std::ranges::fill(matrix.codes, std::uint8_t{0});
  for (std::size_t row = 0; row < matrix.n; ++row) {
    const std::size_t at = row * matrix.k + (row < matrix.n / 2 ? row : matrix.k - 1);
    matrix.codes[at / 2] = static_cast<std::uint8_t>(one << at % 2 * 4);
  }
}

constexpr Edge edges[] = {
    {"edge.all_codes", {100, 128, 1}, 0, 0, 0x1p-7f, cover_codes_and_scales},
    {"edge.all_codes_2688", {72, 256, 1}, 0, 0, 1.0f / 2688, cover_codes_and_scales},
    {"edge.unit", {72, 512, 1}, 0x38, 0x38, 1.0f, nullptr},  // scale 1: W is the code's own value
    {"edge.one_row", {1, 128, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.n4120", {4120, 128, 1}, 0x40, 0x70, 1.0f / 2688, nullptr},
    {"edge.gated_160", {160, 256, 2}, 0x40, 0x70, 1.0f, different_halves},
    {"edge.fused_parts", {150, 256, 1}, 0x01, 0x7E, 1.0f, different_tiles},
    {"edge.tiny_global", {72, 256, 1}, 0x60, 0x7E, 0x1p-33f, nullptr},
    {"edge.large_global", {72, 256, 1}, 0x08, 0x38, 3.9f, nullptr},
    {"edge.subnormal_scales", {72, 256, 1}, 0x01, 0x07, 1.0f, nullptr},
    {"edge.zero_scales", {72, 256, 1}, 0x40, 0x70, 1.0f / 2688, zero_scales},
    {"edge.subnormal_results", {72, 256, 1}, 0x30, 0x48, 0x1p-24f, nullptr},
    {"edge.overflowing_sums", {72, 1536, 1}, 0x76, 0x7E, 0x1p-20f, nullptr},  // unscaled: beyond 65504
    {"edge.scale_sweep", {256, 2048, 1}, 0, 0, 1.0f, sweep_powers},
    {"edge.scale_sweep_fractions", {256, 2048, 1}, 0, 0, 1.0f, sweep_fractions},
    {"edge.nine_parts", {288, 128, 1}, 0x40, 0x60, 1.0f, nine_parts},
    {"edge.k64", {72, 64, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.k576", {64, 576, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.k96", {64, 96, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.k384", {72, 384, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.k768", {72, 768, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.k1024", {72, 1024, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.k1536", {72, 1536, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.gated_picked", {196, 256, 2}, 0x38, 0x38, 1.0f, pick_elements},
    {"edge.gated_wide", {16480, 256, 2}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.gated_k128", {144, 128, 2}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.gated_k384", {144, 384, 2}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.gated_k768", {144, 768, 2}, 0x40, 0x60, 1.0f / 2688, nullptr},
    // 21 groups, or five and six units of 64 k, for each of 8, 12, 16 and 32 slices; one column in the last
    // tile.
    {"edge.k2688", {65, 2688, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.k4032", {65, 4032, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.k5376", {65, 5376, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.k10752", {65, 10752, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.gated_k2688", {130, 2688, 2}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.gated_k5376", {130, 5376, 2}, 0x40, 0x60, 1.0f / 2688, nullptr},
    // Two and three units for each of 8, 12, 16 and 32 slices; two whole tiles, of which blocks of 3, 5 and 9
    // quarters have some left.
    {"edge.k1280", {64, 1280, 1}, 0x40, 0x60, 1.0f, unequal_tiles},
    {"edge.k1920", {64, 1920, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.k2560", {64, 2560, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.k5120", {64, 5120, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.gated_k1280", {128, 1280, 2}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.gated_k2560", {128, 2560, 2}, 0x40, 0x60, 1.0f / 2688, nullptr},
    // Whole tiles, one to seven of each half, and more columns than 32 k.
    {"edge.n32", {32, 128, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.n96", {96, 128, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.n128", {128, 128, 1}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.n160", {160, 128, 1}, 0x40, 0x60, 1.0f, unequal_tiles},
    {"edge.n224", {224, 128, 1}, 0x40, 0x60, 1.0f, unequal_tiles},
    {"edge.n2112", {2112, 64, 1}, 0x40, 0x60, 1.0f, different_last_tiles},
    {"edge.gated_n64", {64, 128, 2}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.gated_n192", {192, 128, 2}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.gated_n256", {256, 128, 2}, 0x40, 0x60, 1.0f / 2688, nullptr},
    {"edge.gated_n384", {384, 128, 2}, 0x40, 0x60, 1.0f, different_last_tiles},
    {"edge.gated_n448", {448, 128, 2}, 0x40, 0x60, 1.0f, different_last_tiles},
    {"edge.gated_n4224", {4224, 64, 2}, 0x40, 0x60, 1.0f, different_last_tiles},
    // Four groups, or one unit.
    {"edge.tiles_k512", {151, 512, 1}, 0x40, 0x60, 1.0f, unequal_tiles},
    {"edge.tiles_k768", {151, 768, 1}, 0x40, 0x60, 1.0f, unequal_tiles},
    {"edge.tiles_k1024", {151, 1024, 1}, 0x40, 0x60, 1.0f, unequal_tiles},
    {"edge.tiles_k2048", {151, 2048, 1}, 0x40, 0x60, 1.0f, unequal_tiles},
    {"edge.gated_tiles_k512", {254, 512, 2}, 0x40, 0x60, 1.0f, unequal_tiles},
    {"edge.gated_tiles_k1024", {254, 1024, 2}, 0x40, 0x60, 1.0f, unequal_tiles},
};

const Edge* find(std::string_view name) {
  for (const Edge& edge : edges)
    if (edge.name == name) return &edge;
  return nullptr;
}

std::optional<SliceShape> shape(std::string_view name) {
  const Edge* edge = find(name);
  return edge == nullptr ? std::nullopt : std::optional(edge->shape);
}

QuantizedMatrix make(std::string_view name, std::uint64_t seed) {
  const Edge& edge = *find(name);
  QuantizedMatrix matrix = blank_matrix(name, edge.shape, seed);
  draw_uniform(matrix, RandomStream(seed, name), edge.lowest, edge.highest);
  matrix.globals = {edge.g};
  if (edge.finish != nullptr) edge.finish(matrix);
  return matrix;
}

}  // namespace

const MadeUpFamily edge_family = {shape, make};

}  // namespace quadpair::cases
