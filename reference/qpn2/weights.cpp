#include "reference/qpn2/weights.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include "reference/formats/decode_table.hpp"
#include "reference/formats/fp4_fp8.hpp"

namespace quadpair::reference {
namespace {

DecodeTable qpn2_table(float g) {
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

/// Column of a 32-column tile that a lane holds (the contract's c(l)).
std::uint32_t column(std::uint32_t lane) {
  return 8 * ((lane >> 2) & 3) + (lane & 3) + ((lane & 16) != 0 ? 4 : 0);
}

/// The lane that holds each column: the inverse of column(), found by search.
std::array<std::uint32_t, tile_rows> lanes_of_columns() {
  std::array<std::uint32_t, tile_rows> lanes{};
  for (std::uint32_t lane = 0; lane < tile_rows; ++lane) lanes[column(lane)] = lane;
  return lanes;
}

}  // namespace

std::vector<Half> decode_qpn2(const Nvfp4View& w) {
  return decode(w, qpn2_table);
}

std::vector<std::uint8_t> pack_qpn2_codes(const Nvfp4View& w) {
  check_shape(w);
  const std::uint32_t groups = w.k / group_k;
  const auto lanes = lanes_of_columns();
  std::vector<std::uint8_t> packed(std::size_t{padded_rows(w)} * w.k / 2);
  for (std::uint32_t row = 0; row < w.n; ++row) {
    const std::uint32_t padded = padded_row(w, row);
    const std::size_t tile = padded / tile_rows;
    const std::size_t lane = lanes[padded % tile_rows];
    for (std::uint32_t g = 0; g < groups; ++g) {
      for (std::uint32_t nibble = 0; nibble < group_k; ++nibble) {
        // Inside each run of 8 k the physical order is 0,2,4,6,1,3,5,7.
        const std::uint32_t p = nibble % 8;
        const std::uint32_t k = group_k * g + nibble / 8 * 8 + (p < 4 ? 2 * p : 2 * (p - 4) + 1);
        const std::uint8_t code = code_at(w, row, k);
        packed[((tile * groups + g) * 32 + lane) * 8 + nibble / 2] |=
            static_cast<std::uint8_t>(nibble % 2 == 0 ? code : code << 4);
      }
    }
  }
  return packed;
}

std::vector<std::uint8_t> pack_qpn2_scales(const Nvfp4View& w) {
  check_shape(w);
  const std::uint32_t groups = w.k / group_k;
  const auto lanes = lanes_of_columns();
  std::vector<std::uint8_t> packed(std::size_t{padded_rows(w)} * groups);
  for (std::uint32_t row = 0; row < w.n; ++row) {
    const std::uint32_t padded = padded_row(w, row);
    for (std::uint32_t g = 0; g < groups; ++g)
      packed[(std::size_t{padded / tile_rows} * groups + g) * 32 + lanes[padded % tile_rows]] =
          w.scales[std::size_t{row} * groups + g];
  }
  return packed;
}

}  // namespace quadpair::reference
