#include "reference/wide/weights.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <cstddef>

#include "reference/formats/fp4_fp8.hpp"

namespace quadpair::reference {
namespace {

Half block_scale(std::uint8_t byte, float g) {
  return to_half(e4m3_value(byte) * g);
}

}  // namespace

constinit const Nvfp4Rule turbomind_rule{block_scale, 0};

std::vector<Half> decode_turbomind(const Nvfp4View& w) {
  return decode(w, turbomind_rule);
}

std::vector<std::uint32_t> pack_turbomind_codes(const Nvfp4View& w) {
  check_shape(w);
  const std::uint32_t groups = w.k / group_k;
  std::vector<std::uint32_t> packed(std::size_t{padded_rows(w)} * 2 * groups);
  tbb::parallel_for(0U, padded_rows(w) / tile_rows, [&](std::uint32_t tile) {
    const TileRows rows = rows_of_tile(w, tile);
    std::uint32_t* to = &packed[std::size_t{tile} * 2 * groups * tile_rows];
    for (std::uint32_t g = 0; g < groups; ++g, to += 2 * tile_rows)
      for (std::uint32_t i = 0; i < rows.count; ++i) {
        const std::uint64_t codes = physical_group(w, rows.first + i, g);
        to[i] = static_cast<std::uint32_t>(codes);
        to[tile_rows + i] = static_cast<std::uint32_t>(codes >> 32);
      }
  });
  return packed;
}

std::vector<Half> pack_turbomind_scales(const Nvfp4View& w) {
  check_shape(w);
  const std::size_t groups = w.k / group_k, columns = padded_rows(w);
  std::vector<Half> packed(groups * columns);
  tbb::parallel_for(0U, padded_rows(w) / tile_rows, [&](std::uint32_t tile) {
    const TileRows rows = rows_of_tile(w, tile);
    const float global = global_of(w, rows.first);
    Half of_byte[256];
    for (std::size_t byte = 0; byte < 256; ++byte)
      of_byte[byte] = block_scale(static_cast<std::uint8_t>(byte), global);
    for (std::size_t g = 0; g < groups; ++g)
      for (std::size_t i = 0; i < rows.count; ++i)
        packed[g * columns + tile * tile_rows + i] = of_byte[w.scales[(rows.first + i) * groups + g]];
  });
  return packed;
}

}  // namespace quadpair::reference
