#include "reference/oracle/sums.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/oracle/sums.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "reference/gemm/operands.hpp"
#include "reference/gemm/unroll.hpp"

HWY_BEFORE_NAMESPACE();
namespace quadpair::reference::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

struct alignas(64) WeightBlock {
  double values[oracle_block_k * panel_columns];
  float magnitudes[oracle_block_k * panel_columns];
};

void unpack(const Half* weights, std::size_t count, WeightBlock& block) {
  const hn::ScalableTag<double> dd;
  const hn::Rebind<float, decltype(dd)> df;
  const hn::Rebind<hwy::float16_t, decltype(dd)> dh;
  for (std::size_t i = 0; i < count * panel_columns; i += hn::Lanes(dd)) {
    const auto w = hn::PromoteTo(df, hn::LoadU(dh, reinterpret_cast<const hwy::float16_t*>(weights) + i));
    const auto magnitude = hn::Max(hn::Abs(w), hn::Set(df, 0x1p-14F));
    hn::Store(hn::PromoteTo(dd, w), dd, block.values + i);
    hn::Store(hn::IfThenZeroElse(hn::Eq(w, hn::Zero(df)), magnitude), df, block.magnitudes + i);
  }
}

/// sums [rows][panel_columns] += x [rows][count] . w [count][panel_columns].
template <std::size_t rows, class T>
HWY_INLINE void add_block(const T* x, const T* w, std::size_t count, T* sums) {
  constexpr std::size_t vectors = 4;
  const hn::CappedTag<T, panel_columns / vectors> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t column = 0; column < panel_columns; column += vectors * lanes) {
    hn::Vec<decltype(d)> sum[rows][vectors];
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t v = 0; v < vectors; ++v)
        sum[r][v] = hn::LoadU(d, sums + r * panel_columns + column + v * lanes);
    for (std::size_t k = 0; k < count; ++k) {
      hn::Vec<decltype(d)> b[vectors];
      QUADPAIR_UNROLL(4)
      for (std::size_t v = 0; v < vectors; ++v)
        b[v] = hn::Load(d, w + k * panel_columns + column + v * lanes);
      QUADPAIR_UNROLL(6)
      for (std::size_t r = 0; r < rows; ++r) {
        const auto a = hn::Set(d, x[r * count + k]);
        QUADPAIR_UNROLL(4)
        for (std::size_t v = 0; v < vectors; ++v) sum[r][v] = hn::MulAdd(a, b[v], sum[r][v]);
      }
    }
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t v = 0; v < vectors; ++v)
        hn::StoreU(sum[r][v], d, sums + r * panel_columns + column + v * lanes);
  }
}

template <class T>
HWY_NOINLINE void add_rows(const T* x, const T* w, std::size_t count, std::size_t rows, T* sums) {
  constexpr std::size_t together = 6;
  std::size_t row = 0;
  for (; row + together <= rows; row += together)
    add_block<together>(x + row * count, w, count, sums + row * panel_columns);
  for (; row < rows; ++row) add_block<1>(x + row * count, w, count, sums + row * panel_columns);
}

void add_products(const OracleRows& rows, std::size_t first, std::size_t count, const Half* panel,
                  double* value, float* error) {
  WeightBlock block;
  for (std::size_t k = 0; k < rows.k; k += oracle_block_k) {
    const std::size_t some = std::min(oracle_block_k, rows.k - k);
    const std::size_t at = rows.m * k + first * some;
    unpack(panel + k * panel_columns, some, block);
    add_rows(rows.values.data() + at, block.values, some, count, value);
    add_rows(rows.magnitudes.data() + at, block.magnitudes, some, count, error);
  }
}

}  // namespace
}  // namespace quadpair::reference::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quadpair::reference {

HWY_EXPORT(add_products);

void add_products(const OracleRows& rows, std::size_t first, std::size_t count, const Half* panel,
                  double* value, float* error) {
  HWY_DYNAMIC_DISPATCH(add_products)(rows, first, count, panel, value, error);
}

OracleRows oracle_rows(const Half* x, std::uint32_t m, std::uint32_t ldx,
                       const std::vector<double>& factors) {
  OracleRows rows{m, factors.size(), {}, {}};
  rows.values.resize(rows.m * rows.k);
  rows.magnitudes.resize(rows.m * rows.k);
  tbb::parallel_for(std::size_t{0}, rows.m, [&](std::size_t row) {
    for (std::size_t k = 0; k < rows.k; ++k) {
      const std::size_t first = k / oracle_block_k * oracle_block_k;
      const std::size_t at = rows.m * first + row * std::min(oracle_block_k, rows.k - first) + k - first;
      const float value = to_float(x[row * ldx + k]);
      const float magnitude = value == 0 ? 0.0F : std::max(std::fabs(value), 0x1p-14F);
      rows.values[at] = value;
      rows.magnitudes[at] = magnitude * static_cast<float>(factors[k]);
    }
  });
  return rows;
}

}  // namespace quadpair::reference
#endif
