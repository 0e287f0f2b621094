#include "reference/gemm/panels.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace quadpair::reference {
namespace {

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

Half* PanelSpace::hold(std::size_t elements) {
  if (capacity < elements) {
    weights = hwy::AllocateAligned<Half>(elements);
    capacity = elements;
  }
  return weights.get();
}

std::size_t WeightPanels::columns(std::size_t index) const {
  return std::min<std::size_t>(panel_columns, n - index * panel_columns);
}

StoredPanels::StoredPanels(const std::vector<Half>& weights, std::uint32_t rows, std::uint32_t depth)
    : WeightPanels(rows, depth), finite_(count() * panel_columns, 1) {
  if (weights.size() != std::size_t{n} * k)
    throw std::invalid_argument("weights do not have the shape [n, k]");
  values_ = hwy::AllocateAligned<Half>(std::max<std::size_t>(count() * k * panel_columns, 1), allocate_large,
                                       free_large, nullptr);
  tbb::parallel_for(std::size_t{0}, count(), [&](std::size_t p) {
    Half* const panel = values_.get() + p * k * panel_columns;
    const std::size_t first = p * panel_columns, existing = columns(p);
    if (existing < panel_columns) std::fill_n(panel, k * panel_columns, Half{0});
    constexpr std::size_t block = 32;  // k at a time, so that the panel's lines stay in the cache
    for (std::size_t k0 = 0; k0 < k; k0 += block) {
      for (std::size_t column = 0; column < existing; ++column) {
        const Half* const row = weights.data() + (first + column) * k;
        for (std::size_t i = k0; i < std::min<std::size_t>(k0 + block, k); ++i) {
          panel[i * panel_columns + column] = row[i];
          if (!is_finite(row[i])) finite_[first + column] = 0;
        }
      }
    }
  });
}

Panel StoredPanels::panel(std::size_t index, PanelSpace&) const {
  return {values_.get() + index * k * panel_columns, finite_.data() + index * panel_columns};
}

void StoredPanels::row(std::uint32_t row, Half* to) const {
  const Half* const column =
      values_.get() + std::size_t{row / panel_columns} * k * panel_columns + row % panel_columns;
  for (std::size_t i = 0; i < k; ++i) to[i] = column[i * panel_columns];
}

}  // namespace quadpair::reference
