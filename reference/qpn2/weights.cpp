#include "reference/qpn2/weights.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <cmath>
#include <cstddef>
#include <cstring>

#include "reference/formats/fp4_fp8.hpp"

namespace quadpair::reference {
namespace {

Half scale(std::uint8_t byte, float global) {
  return mul(to_half(e4m3_value(byte)), to_half(std::ldexp(static_cast<double>(global), 14)));
}

/// Column of a 32-column tile that a lane holds (the contract's c(l)).
std::uint32_t column(std::uint32_t lane) {
  return 8 * ((lane >> 2) & 3) + (lane & 3) + ((lane & 16) != 0 ? 4 : 0);
}

}  // namespace

constinit const Nvfp4Rule qpn2_rule{scale, -14};

std::vector<Half> decode_qpn2(const Nvfp4View& w) {
  return decode(w, qpn2_rule);
}

std::vector<std::uint8_t> pack_qpn2_codes(const Nvfp4View& w) {
  check_shape(w);
  const std::uint32_t groups = w.k / group_k;
  std::vector<std::uint8_t> packed(std::size_t{padded_rows(w)} * w.k / 2);
  tbb::parallel_for(0U, padded_rows(w) / tile_rows, [&](std::uint32_t tile) {
    const TileRows rows = rows_of_tile(w, tile);
    for (std::uint32_t g = 0; g < groups; ++g) {
      std::uint8_t* const to = &packed[(std::size_t{tile} * groups + g) * group_bytes * tile_rows];
      for (std::uint32_t lane = 0; lane < tile_rows; ++lane)
        if (const std::uint32_t i = column(lane); i < rows.count) {
          const std::uint64_t codes = physical_group(w, rows.first + i, g);
          std::memcpy(to + lane * group_bytes, &codes, group_bytes);
        }
    }
  });
  return packed;
}

std::vector<std::uint8_t> pack_qpn2_scales(const Nvfp4View& w) {
  check_shape(w);
  const std::uint32_t groups = w.k / group_k;
  std::vector<std::uint8_t> packed(std::size_t{padded_rows(w)} * groups);
  tbb::parallel_for(0U, padded_rows(w) / tile_rows, [&](std::uint32_t tile) {
    const TileRows rows = rows_of_tile(w, tile);
    std::uint8_t* to = &packed[std::size_t{tile} * groups * tile_rows];
    for (std::uint32_t g = 0; g < groups; ++g, to += tile_rows)
      for (std::uint32_t lane = 0; lane < tile_rows; ++lane)
        if (const std::uint32_t i = column(lane); i < rows.count)
          to[lane] = w.scales[std::size_t{rows.first + i} * groups + g];
  });
  return packed;
}

}  // namespace quadpair::reference
