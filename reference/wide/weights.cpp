#include "reference/wide/weights.hpp"

#include <cstddef>

#include "reference/formats/decode_table.hpp"
#include "reference/formats/fp4_fp8.hpp"

namespace quadpair::reference {
namespace {

Half block_scale(std::uint8_t byte, float g) {
  return to_half(e4m3_value(byte) * g);
}

DecodeTable turbomind_table(float g) {
  DecodeTable table;
  for (std::size_t byte = 0; byte < 256; ++byte)
    for (std::size_t code = 0; code < 16; ++code)
      table[byte][code] = mul(to_half(e2m1_value(static_cast<std::uint8_t>(code))),
                              block_scale(static_cast<std::uint8_t>(byte), g));
  return table;
}

}  // namespace

std::vector<Half> decode_turbomind(const Nvfp4View& w) {
  return decode(w, turbomind_table);
}

std::vector<std::uint32_t> pack_turbomind_codes(const Nvfp4View& w) {
  check_shape(w);
  constexpr std::uint32_t run = 8;
  constexpr std::uint32_t logical[run] = {0, 2, 4, 6, 1, 3, 5, 7};  // by physical position
  const std::size_t runs = w.k / run;
  std::vector<std::uint32_t> packed(padded_rows(w) * runs);
  for (std::uint32_t row = 0; row < w.n; ++row) {
    const std::uint32_t padded = padded_row(w, row);
    for (std::uint32_t r = 0; r < runs; ++r) {
      std::uint32_t word = 0;
      for (std::uint32_t p = 0; p < run; ++p)
        word |= std::uint32_t{code_at(w, row, run * r + logical[p])} << 4 * p;
      packed[(padded / tile_rows * runs + r) * tile_rows + padded % tile_rows] = word;
    }
  }
  return packed;
}

std::vector<Half> pack_turbomind_scales(const Nvfp4View& w) {
  check_shape(w);
  const std::size_t groups = w.k / group_k, columns = padded_rows(w);
  std::vector<Half> packed(groups * columns);
  for (std::uint32_t row = 0; row < w.n; ++row)
    for (std::size_t g = 0; g < groups; ++g)
      packed[g * columns + padded_row(w, row)] = block_scale(w.scales[row * groups + g], global_of(w, row));
  return packed;
}

}  // namespace quadpair::reference
