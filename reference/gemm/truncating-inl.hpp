// Per SIMD target: the fused step of tensor cores. Included by panel.cpp only.
//
// With E the largest exponent among the step's products and c, every term is scaled by 2^(F-E) in FP32, which
// is exact (a product of two FP16 numbers has 22 bits), and converted to a 32-bit integer, which truncates.
// Integers add exactly; the sum is converted back under the rounding mode toward zero, so it too is truncated
// as the model says. Within a GEMM c is a sum of FP16 products: a multiple of 2^-48 far from FP32's ends, so
// that no scaling overflows and nothing that counts underflows.
#if defined(QUADPAIR_REFERENCE_TRUNCATING_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_REFERENCE_TRUNCATING_INL
#undef QUADPAIR_REFERENCE_TRUNCATING_INL
#else
#define QUADPAIR_REFERENCE_TRUNCATING_INL
#endif

#include <hwy/highway.h>

#include "reference/gemm/pack-inl.hpp"
#include "reference/gemm/unroll.hpp"

HWY_BEFORE_NAMESPACE();
namespace quadpair::reference::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A block of one stream against a few rows: `steps` rounding steps.
struct BlockRows {
  const float* values;         ///< first row's elements of this block
  const std::uint32_t* codes;  ///< and their exponent codes
  std::size_t stride;          ///< elements from one row to the next
  std::size_t steps;
};

/// Truncation of |v| < 2^31. Highway's ConvertTo would spend three more instructions on larger numbers.
template <class DI, class VF>
HWY_INLINE hn::Vec<DI> truncate(DI di, VF v) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  (void)di;
  return hn::Vec<DI>{_mm512_cvttps_epi32(v.raw)};
#elif HWY_TARGET == HWY_AVX2
  (void)di;
  return hn::Vec<DI>{_mm256_cvttps_epi32(v.raw)};
#else
  return hn::ConvertTo(di, v);
#endif
}

/// FP32 exponent fields of the largest product exponent of each step: [step][row][column].
template <std::size_t width, std::size_t rows>
HWY_INLINE void product_exponents(const BlockRows& a, const std::uint8_t* codes, std::uint8_t* exponents) {
  const hn::CappedTag<std::uint8_t, panel_columns> d8;
  const hn::Repartition<std::uint32_t, decltype(d8)> d32;
  for (std::size_t step = 0; step < a.steps; ++step) {
    for (std::size_t column = 0; column < panel_columns; column += hn::Lanes(d8)) {
      const std::uint8_t* const b = codes + step * width * panel_columns + column;
      QUADPAIR_UNROLL(4)
      for (std::size_t row = 0; row < rows; ++row) {
        const std::uint32_t* const r = a.codes + row * a.stride + step * width;
        auto largest = hn::Add(hn::Load(d8, b), hn::BitCast(d8, hn::Set(d32, r[0])));
        QUADPAIR_UNROLL(16)
        for (std::size_t i = 1; i < width; ++i)
          largest = hn::Max(
              largest, hn::Add(hn::Load(d8, b + i * panel_columns), hn::BitCast(d8, hn::Set(d32, r[i]))));
        hn::Store(largest, d8, exponents + (step * rows + row) * panel_columns + column);
      }
    }
  }
}

/// The sum of two integers, together at most 2^32 - 1 in magnitude, as FP32 in the current rounding mode.
template <class DF, class VI>
HWY_INLINE hn::Vec<DF> to_float_sum(DF df, VI first, VI second) {
  const hn::RebindToUnsigned<DF> du;
  const hn::RebindToSigned<DF> di;
  const auto a = hn::BitCast(du, first);
  const auto b = hn::BitCast(du, second);
  const auto sum = hn::Add(a, b);
  // Where the 32-bit sum overflowed, its sign is wrong and its magnitude is right as an unsigned number.
  const auto overflow = hn::And(hn::Xor(a, sum), hn::Xor(b, sum));
  const auto negative = hn::BitCast(du, hn::BroadcastSignBit(hn::BitCast(di, hn::Xor(sum, overflow))));
  const auto magnitude = hn::ConvertTo(df, hn::Sub(hn::Xor(sum, negative), negative));
  return hn::CopySignToAbs(magnitude, hn::BitCast(df, negative));
}

/// Whether the sum of two integers leaves 32 bits anywhere.
template <std::size_t rows, std::size_t vectors, class DI>
HWY_INLINE bool any_overflow(DI di, const hn::Vec<DI> (&first)[rows][vectors],
                             const hn::Vec<DI> (&second)[rows][vectors]) {
  auto overflow = hn::Zero(di);
  QUADPAIR_UNROLL(4)
  for (std::size_t r = 0; r < rows; ++r) {
    QUADPAIR_UNROLL(4)
    for (std::size_t v = 0; v < vectors; ++v) {
      const auto sum = hn::Add(first[r][v], second[r][v]);
      overflow = hn::Or(overflow, hn::And(hn::Xor(first[r][v], sum), hn::Xor(second[r][v], sum)));
    }
  }
  return !hn::AllFalse(di, hn::Lt(overflow, hn::Zero(di)));
}

/// Extends c [rows][columns] by a.steps steps: `rows` rows and `vectors` vectors of columns at a time.
template <std::size_t width, int fraction_bits, std::size_t rows, std::size_t vectors>
HWY_INLINE void truncating_steps(const BlockRows& a, const float* weights, const std::uint8_t* exponents,
                                 float* c) {
  const hn::ScalableTag<float> df;
  const hn::RebindToUnsigned<decltype(df)> du;
  const hn::RebindToSigned<decltype(df)> di;
  const hn::Rebind<std::uint8_t, decltype(df)> d8;
  using F = hn::Vec<decltype(df)>;
  using I = hn::Vec<decltype(di)>;
  const std::size_t lanes = hn::Lanes(df);
  // Sixteen products at F = 25 may pass 2^31, so they are summed in two halves.
  constexpr std::size_t half = width == 16 ? 8 : width;
  const auto exponent_field = hn::Set(du, 0x7F800000);
  const auto up = hn::Set(du, (254U + fraction_bits) << 23);
  const auto down = hn::Set(du, 254U << 23);

  for (std::size_t column = 0; column < panel_columns; column += vectors * lanes) {
    F sum[rows][vectors];
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t v = 0; v < vectors; ++v)
        sum[r][v] = hn::Load(df, c + r * panel_columns + column + v * lanes);

    for (std::size_t step = 0; step < a.steps; ++step) {
      F scale[rows][vectors];  // 2^(F-E)
      I total[rows][vectors], second[rows][vectors];
      QUADPAIR_UNROLL(4)
      for (std::size_t r = 0; r < rows; ++r) {
        QUADPAIR_UNROLL(4)
        for (std::size_t v = 0; v < vectors; ++v) {
          const std::uint8_t* const e = exponents + (step * rows + r) * panel_columns + column + v * lanes;
          const auto products = hn::ShiftLeft<23>(hn::PromoteTo(du, hn::Load(d8, e)));
          const auto own = hn::And(hn::BitCast(du, sum[r][v]), exponent_field);
          scale[r][v] = hn::BitCast(df, hn::Sub(up, hn::Max(products, own)));
          total[r][v] = truncate(di, hn::Mul(sum[r][v], scale[r][v]));
          second[r][v] = hn::Zero(di);
        }
      }
      QUADPAIR_UNROLL(16)
      for (std::size_t i = 0; i < width; ++i) {
        const std::size_t product = step * width + i;
        F b[vectors];
        QUADPAIR_UNROLL(4)
        for (std::size_t v = 0; v < vectors; ++v)
          b[v] = hn::Load(df, weights + product * panel_columns + column + v * lanes);
        QUADPAIR_UNROLL(4)
        for (std::size_t r = 0; r < rows; ++r) {
          const auto x = hn::Set(df, a.values[r * a.stride + product]);
          QUADPAIR_UNROLL(4)
          for (std::size_t v = 0; v < vectors; ++v) {
            const auto term = truncate(di, hn::Mul(hn::Mul(x, b[v]), scale[r][v]));
            I& target = i < half ? total[r][v] : second[r][v];
            target = hn::Add(target, term);
          }
        }
      }
      bool wide = false;
      if constexpr (half < width) wide = any_overflow<rows, vectors>(di, total, second);
      QUADPAIR_UNROLL(4)
      for (std::size_t r = 0; r < rows; ++r) {
        QUADPAIR_UNROLL(4)
        for (std::size_t v = 0; v < vectors; ++v) {
          const auto ulp = hn::BitCast(df, hn::Sub(down, hn::BitCast(du, scale[r][v])));
          if (HWY_UNLIKELY(wide))
            sum[r][v] = hn::Mul(to_float_sum(df, total[r][v], second[r][v]), ulp);
          else
            sum[r][v] = hn::Mul(hn::ConvertTo(df, hn::Add(total[r][v], second[r][v])), ulp);
        }
      }
    }
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t v = 0; v < vectors; ++v)
        hn::Store(sum[r][v], df, c + r * panel_columns + column + v * lanes);
  }
}

/// Extends c [m][columns] by one block of a stream. The rounding mode must be toward zero.
template <std::size_t width, int fraction_bits>
HWY_NOINLINE void truncating_block(BlockRows a, std::size_t m, const WeightBlock& block, float* c) {
  constexpr std::size_t rows = 4;
  alignas(64) std::uint8_t exponents[block_products / width * rows * panel_columns];
  const auto run = [&]<std::size_t count, std::size_t vectors>(std::size_t row) HWY_ATTR {
    const BlockRows few{a.values + row * a.stride, a.codes + row * a.stride, a.stride, a.steps};
    product_exponents<width, count>(few, block.codes, exponents);
    truncating_steps<width, fraction_bits, count, vectors>(few, block.values, exponents,
                                                           c + row * panel_columns);
  };
  std::size_t row = 0;
  for (; row + rows <= m; row += rows) run.template operator()<rows, 1>(row);
  for (; row < m; ++row) run.template operator()<1, 4>(row);
}

}  // namespace quadpair::reference::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
