#include "reference/gemm/operands.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>

namespace quadpair::reference {
namespace {

constexpr Half exponent_mask = 0x7C00;

std::uint32_t row_code(Half h) {
  const int exponent = (h & exponent_mask) >> 10;
  const int code = (h & 0x7FFF) == 0 ? 0 : std::max(exponent, 1) + nonzero_code_bias;
  return static_cast<std::uint32_t>(code + row_code_bias) * 0x01010101U;
}

}  // namespace

PackedRows pack_rows(const Half* x, std::uint32_t m, std::uint32_t ldx, const Schedule& schedule) {
  PackedRows rows;
  rows.m = m;
  rows.values.resize(rows.m * schedule.k.size());
  rows.codes.resize(rows.values.size());
  rows.finite.assign(m, 1);
  tbb::parallel_for(std::size_t{0}, rows.m, [&](std::size_t row) {
    const Half* const source = x + row * ldx;
    for (std::size_t stream = 0; stream < schedule.stream_count(); ++stream) {
      const std::size_t end = schedule.streams[stream + 1];
      for (std::size_t first = schedule.streams[stream]; first < end; first += block_products) {
        const std::size_t count = std::min(block_products, end - first);
        const std::size_t to = rows.m * first + row * count;
        for (std::size_t i = 0; i < count; ++i) {
          const Half h = source[schedule.k[first + i]];
          rows.values[to + i] = to_float(h);
          rows.codes[to + i] = row_code(h);
          if (!is_finite(h)) rows.finite[row] = 0;
        }
      }
    }
  });
  return rows;
}

}  // namespace quadpair::reference
