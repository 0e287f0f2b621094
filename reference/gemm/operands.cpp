#include "reference/gemm/operands.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstdlib>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace quadpair::reference {
namespace {

constexpr Half exponent_mask = 0x7C00;

std::uint32_t row_code(Half h) {
  const int exponent = (h & exponent_mask) >> 10;
  const int code = (h & 0x7FFF) == 0 ? 0 : std::max(exponent, 1) + nonzero_code_bias;
  return static_cast<std::uint32_t>(code + row_code_bias) * 0x01010101U;
}

/// Memory in the largest pages that the system gives: each k of a panel is on other cache lines, so that
/// small pages cost a translation every few products. Null where there is none, as malloc does.
void* allocate_large(void*, std::size_t bytes) {
  constexpr std::size_t page = std::size_t{2} << 20;
  if (bytes < page) return std::malloc(bytes);
  const std::size_t rounded = (bytes + page - 1) / page * page;
  void* const memory = std::aligned_alloc(page, rounded);
#ifdef __linux__
  if (memory != nullptr) madvise(memory, rounded, MADV_HUGEPAGE);  // a hint: that it fails does not matter
#endif
  return memory;
}

void free_large(void*, void* memory) {
  std::free(memory);
}

}  // namespace

WeightPanels pack_panels(const std::vector<Half>& weights, std::uint32_t n, std::uint32_t k) {
  WeightPanels panels;
  panels.n = n;
  panels.k = k;
  panels.finite.assign(n, 1);
  panels.values = hwy::AllocateAligned<Half>(std::max<std::size_t>(panels.count() * k * panel_columns, 1),
                                             allocate_large, free_large, nullptr);
  tbb::parallel_for(std::size_t{0}, panels.count(), [&](std::size_t p) {
    Half* const panel = panels.values.get() + p * k * panel_columns;
    const std::size_t first = p * panel_columns;
    const std::size_t columns = std::min<std::size_t>(panel_columns, n - first);
    if (columns < panel_columns) std::fill_n(panel, k * panel_columns, Half{0});
    constexpr std::size_t block = 32;  // k at a time, so that the panel's lines stay in the cache
    for (std::size_t k0 = 0; k0 < k; k0 += block) {
      for (std::size_t column = 0; column < columns; ++column) {
        const Half* const row = weights.data() + (first + column) * k;
        for (std::size_t i = k0; i < std::min<std::size_t>(k0 + block, k); ++i) {
          panel[i * panel_columns + column] = row[i];
          if (!is_finite(row[i])) panels.finite[first + column] = 0;
        }
      }
    }
  });
  return panels;
}

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
