// Per SIMD target: m8n8k4 as FP32 FMAs. Included by panel.cpp only.
#if defined(QUADPAIR_REFERENCE_LOWERED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_REFERENCE_LOWERED_INL
#undef QUADPAIR_REFERENCE_LOWERED_INL
#else
#define QUADPAIR_REFERENCE_LOWERED_INL
#endif

#include <hwy/highway.h>

#include "reference/gemm/pack-inl.hpp"
#include "reference/gemm/unroll.hpp"

HWY_BEFORE_NAMESPACE();
namespace quadpair::reference::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Extends c [rows][columns] by `steps` steps d = c + fma(a3,b3, fma(a2,b2, fma(a1,b1, a0.b0))). A product of
/// two FP16 numbers is exact in FP32, so targets whose MulAdd is not fused give the same bits. (The model
/// adds +0 to a0.b0, which shows only where c is -0: never in a sum that starts at +0.)
template <std::size_t rows>
HWY_INLINE void lowered_steps(const float* values, std::size_t stride, std::size_t steps,
                              const float* weights, float* c) {
  constexpr std::size_t vectors = 2;
  const hn::ScalableTag<float> df;
  using F = hn::Vec<decltype(df)>;
  const std::size_t lanes = hn::Lanes(df);
  for (std::size_t column = 0; column < panel_columns; column += vectors * lanes) {
    F sum[rows][vectors];
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t v = 0; v < vectors; ++v)
        sum[r][v] = hn::Load(df, c + r * panel_columns + column + v * lanes);
    for (std::size_t step = 0; step < steps; ++step) {
      F b[4][vectors];
      QUADPAIR_UNROLL(4)
      for (std::size_t i = 0; i < 4; ++i) {
        QUADPAIR_UNROLL(2)
        for (std::size_t v = 0; v < vectors; ++v)
          b[i][v] = hn::Load(df, weights + (step * 4 + i) * panel_columns + column + v * lanes);
      }
      QUADPAIR_UNROLL(8)
      for (std::size_t r = 0; r < rows; ++r) {
        const float* const a = values + r * stride + step * 4;
        QUADPAIR_UNROLL(2)
        for (std::size_t v = 0; v < vectors; ++v) {
          F products = hn::Mul(hn::Set(df, a[0]), b[0][v]);
          products = hn::MulAdd(hn::Set(df, a[1]), b[1][v], products);
          products = hn::MulAdd(hn::Set(df, a[2]), b[2][v], products);
          products = hn::MulAdd(hn::Set(df, a[3]), b[3][v], products);
          sum[r][v] = hn::Add(sum[r][v], products);
        }
      }
    }
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t v = 0; v < vectors; ++v)
        hn::Store(sum[r][v], df, c + r * panel_columns + column + v * lanes);
  }
}

/// Extends c [m][columns] by one block of a stream. The rounding mode must be to nearest.
inline HWY_NOINLINE void lowered_block(const float* values, std::size_t stride, std::size_t steps,
                                       std::size_t m, const WeightBlock& block, float* c) {
  constexpr std::size_t rows = 8;
  std::size_t row = 0;
  for (; row + rows <= m; row += rows)
    lowered_steps<rows>(values + row * stride, stride, steps, block.values, c + row * panel_columns);
  for (; row < m; ++row)
    lowered_steps<1>(values + row * stride, stride, steps, block.values, c + row * panel_columns);
}

}  // namespace quadpair::reference::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
