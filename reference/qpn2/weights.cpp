#include "reference/qpn2/weights.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>

#include "reference/formats/fp4_fp8.hpp"

namespace quadpair::reference {
namespace {

constexpr std::uint32_t tile_rows = 32;
constexpr std::uint32_t group = 16;

void check(const Nvfp4View& w) {
  if (w.halves == 0 || w.n % w.halves != 0) throw std::invalid_argument("rows do not divide into the halves");
  if (w.k % group != 0) throw std::invalid_argument("k is not a multiple of 16");
  if (w.codes.size() != std::size_t{w.n} * w.k / 2)
    throw std::invalid_argument("codes do not have the shape [n, k/2]");
  if (w.scales.size() != std::size_t{w.n} * w.k / group)
    throw std::invalid_argument("scales do not have the shape [n, k/16]");
  if (w.globals.size() != 1 && w.globals.size() != padded_rows(w) / tile_rows)
    throw std::invalid_argument("neither one global scale nor one for each tile of 32 rows");
}

std::uint32_t padded_half(const Nvfp4View& w) {
  return (w.n / w.halves + tile_rows - 1) / tile_rows * tile_rows;
}

/// The weights of every scale byte and code under one global scale: [256][16].
using DecodeTable = std::array<std::array<Half, 16>, 256>;

DecodeTable decode_table(float g) {
  DecodeTable table;
  const Half global = to_half(std::ldexp(static_cast<double>(g), 14));
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const Half scale = mul(to_half(e4m3_value(static_cast<std::uint8_t>(byte))), global);
    for (std::size_t code = 0; code < 16; ++code) {
      const Half placed = to_half(std::ldexp(e2m1_value(static_cast<std::uint8_t>(code)), -14));
      table[byte][code] = mul(placed, scale);
    }
  }
  return table;
}

std::uint8_t code_at(const Nvfp4View& w, std::uint32_t row, std::uint32_t k) {
  const std::uint8_t pair = w.codes[(std::size_t{row} * w.k + k) / 2];
  return k % 2 == 0 ? pair & 0xF : pair >> 4;
}

/// Column of a 32-column tile that a lane holds (the contract's c(l)).
std::uint32_t column(std::uint32_t lane) {
  return 8 * ((lane >> 2) & 3) + (lane & 3) + ((lane & 16) != 0 ? 4 : 0);
}

/// Calls visit(logical row, padded row) for every logical row.
template <class Visit>
void for_each_row(const Nvfp4View& w, const Visit& visit) {
  for (std::uint32_t row = 0; row < w.n; ++row) visit(row, padded_row(w, row));
}

/// The lane that holds each column: the inverse of column(), found by search.
std::array<std::uint32_t, tile_rows> lanes_of_columns() {
  std::array<std::uint32_t, tile_rows> lanes{};
  for (std::uint32_t lane = 0; lane < tile_rows; ++lane) lanes[column(lane)] = lane;
  return lanes;
}

}  // namespace

std::uint32_t padded_row(const Nvfp4View& w, std::uint32_t row) {
  const std::uint32_t half = w.n / w.halves;
  return row / half * padded_half(w) + row % half;
}

std::uint32_t padded_rows(const Nvfp4View& w) {
  return w.halves * padded_half(w);
}

std::vector<Half> decode_qpn2(const Nvfp4View& w) {
  check(w);
  std::vector<Half> weights(std::size_t{w.n} * w.k);
  std::map<float, DecodeTable> tables;
  for (const float g : w.globals)
    if (!tables.contains(g)) tables.emplace(g, decode_table(g));
  for_each_row(w, [&](std::uint32_t row, std::uint32_t padded) {
    const DecodeTable& table =
        tables.at(w.globals.size() == 1 ? w.globals[0] : w.globals[padded / tile_rows]);
    for (std::uint32_t k0 = 0; k0 < w.k; k0 += group) {
      const auto& of_code = table[w.scales[(std::size_t{row} * w.k + k0) / group]];
      for (std::uint32_t k = k0; k < k0 + group; ++k)
        weights[std::size_t{row} * w.k + k] = of_code[code_at(w, row, k)];
    }
  });
  return weights;
}

std::vector<std::uint8_t> pack_qpn2_codes(const Nvfp4View& w) {
  check(w);
  const std::uint32_t groups = w.k / group;
  const auto lanes = lanes_of_columns();
  std::vector<std::uint8_t> packed(std::size_t{padded_rows(w)} * w.k / 2);
  for_each_row(w, [&](std::uint32_t row, std::uint32_t padded) {
    const std::size_t tile = padded / tile_rows;
    const std::size_t lane = lanes[padded % tile_rows];
    for (std::uint32_t g = 0; g < groups; ++g) {
      for (std::uint32_t nibble = 0; nibble < group; ++nibble) {
        // Inside each run of 8 k the physical order is 0,2,4,6,1,3,5,7.
        const std::uint32_t p = nibble % 8;
        const std::uint32_t k = group * g + nibble / 8 * 8 + (p < 4 ? 2 * p : 2 * (p - 4) + 1);
        const std::uint8_t code = code_at(w, row, k);
        packed[((tile * groups + g) * 32 + lane) * 8 + nibble / 2] |=
            static_cast<std::uint8_t>(nibble % 2 == 0 ? code : code << 4);
      }
    }
  });
  return packed;
}

std::vector<std::uint8_t> pack_qpn2_scales(const Nvfp4View& w) {
  check(w);
  const std::uint32_t groups = w.k / group;
  const auto lanes = lanes_of_columns();
  std::vector<std::uint8_t> packed(std::size_t{padded_rows(w)} * groups);
  for_each_row(w, [&](std::uint32_t row, std::uint32_t padded) {
    for (std::uint32_t g = 0; g < groups; ++g)
      packed[(std::size_t{padded / tile_rows} * groups + g) * 32 + lanes[padded % tile_rows]] =
          w.scales[std::size_t{row} * groups + g];
  });
  return packed;
}

}  // namespace quadpair::reference
