#include "reference/formats/nvfp4.hpp"

#include <algorithm>
#include <stdexcept>

namespace quadpair::reference {
namespace {

std::uint32_t padded_half(const Nvfp4View& w) {
  return (w.n / w.halves + tile_rows - 1) / tile_rows * tile_rows;
}

}  // namespace

std::uint32_t padded_row(const Nvfp4View& w, std::uint32_t row) {
  const std::uint32_t half = w.n / w.halves;
  return row / half * padded_half(w) + row % half;
}

std::uint32_t padded_rows(const Nvfp4View& w) {
  return w.halves * padded_half(w);
}

TileRows rows_of_tile(const Nvfp4View& w, std::uint32_t tile) {
  const std::uint32_t half = w.n / w.halves, tiles = padded_half(w) / tile_rows;
  const std::uint32_t before = tile % tiles * tile_rows;
  return {tile / tiles * half + before, std::min(tile_rows, half - before)};
}

void check_shape(const Nvfp4View& w) {
  if (w.halves == 0 || w.n % w.halves != 0) throw std::invalid_argument("rows do not divide into the halves");
  if (w.k % group_k != 0) throw std::invalid_argument("k is not a multiple of 16");
  if (w.codes.size() != std::size_t{w.n} * w.k / 2)
    throw std::invalid_argument("codes do not have the shape [n, k/2]");
  if (w.scales.size() != std::size_t{w.n} * w.k / group_k)
    throw std::invalid_argument("scales do not have the shape [n, k/16]");
  if (w.globals.size() != 1 && w.globals.size() != padded_rows(w) / tile_rows)
    throw std::invalid_argument("neither one global scale nor one for each tile of 32 rows");
}

std::uint64_t physical_group(const Nvfp4View& w, std::uint32_t row, std::uint32_t group) {
  const std::uint8_t* const pairs = w.codes.data() + (std::size_t{row} * w.k + group * group_k) / 2;
  std::uint64_t logical = 0;
  for (unsigned i = 0; i < group_bytes; ++i) logical |= std::uint64_t{pairs[i]} << 8 * i;
  // The codes of even k, then those of odd k, from every other nibble of a run into its lower half.
  const auto gather = [](std::uint64_t nibbles) {
    nibbles &= 0x0F0F0F0F0F0F0F0F;
    nibbles = (nibbles | nibbles >> 4) & 0x00FF00FF00FF00FF;
    return (nibbles | nibbles >> 8) & 0x0000FFFF0000FFFF;
  };
  return gather(logical) | gather(logical >> 4) << 16;
}

std::uint8_t code_at(const Nvfp4View& w, std::uint32_t row, std::uint32_t k) {
  const std::uint8_t pair = w.codes[(std::size_t{row} * w.k + k) / 2];
  return k % 2 == 0 ? pair & 0xF : pair >> 4;
}

std::size_t global_index(const Nvfp4View& w, std::uint32_t row) {
  return w.globals.size() == 1 ? 0 : padded_row(w, row) / tile_rows;
}

float global_of(const Nvfp4View& w, std::uint32_t row) {
  return w.globals[global_index(w, row)];
}

}  // namespace quadpair::reference
