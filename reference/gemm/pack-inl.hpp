// Per SIMD target: a block of a weight panel unpacked for the inner loops. Included by panel.cpp only.
#if defined(QUADPAIR_REFERENCE_PACK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_REFERENCE_PACK_INL
#undef QUADPAIR_REFERENCE_PACK_INL
#else
#define QUADPAIR_REFERENCE_PACK_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "reference/gemm/operands.hpp"

HWY_BEFORE_NAMESPACE();
namespace quadpair::reference::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t line_halves = 32;  ///< of a cache line

/// Weights of the `count` products of a block, [product][column].
struct alignas(64) WeightBlock {
  float values[block_products * panel_columns];
  std::uint8_t codes[block_products * panel_columns];
};

HWY_INLINE void unpack_values(const Half* row, float* values) {
  const hn::ScalableTag<float> df;
  const hn::Rebind<hwy::float16_t, decltype(df)> dh;
  for (std::size_t i = 0; i < panel_columns; i += hn::Lanes(df))
    hn::Store(hn::PromoteTo(df, hn::Load(dh, reinterpret_cast<const hwy::float16_t*>(row) + i)), df,
              values + i);
}

/// The exponent codes of one row of a panel (see operands.hpp).
HWY_INLINE void unpack_codes(const Half* row, std::uint8_t* codes) {
  const hn::ScalableTag<std::uint16_t> du;
  const hn::RebindToSigned<decltype(du)> di;
  const hn::Rebind<std::uint8_t, decltype(du)> d8;
  for (std::size_t i = 0; i < panel_columns; i += hn::Lanes(du)) {
    const auto bits = hn::Load(du, row + i);
    const auto exponent = hn::Max(hn::And(hn::ShiftRight<10>(bits), hn::Set(du, 31)), hn::Set(du, 1));
    const auto is_zero = hn::Eq(hn::And(bits, hn::Set(du, 0x7FFF)), hn::Zero(du));
    const auto code = hn::IfThenZeroElse(is_zero, hn::Add(exponent, hn::Set(du, nonzero_code_bias)));
    hn::Store(hn::DemoteTo(d8, hn::BitCast(di, code)), d8, codes + i);
  }
}

/// Rows k[0..count) of the panel; the `following` rows after them are fetched meanwhile for the next block.
template <bool with_codes>
HWY_NOINLINE void unpack_block(const Half* panel, const std::uint32_t* k, std::size_t count,
                               std::size_t following, WeightBlock& block) {
  for (std::size_t i = 0; i < count; ++i) {
    const Half* const row = panel + k[i] * panel_columns;
    if (i < following) {
      const Half* const later = panel + k[count + i] * panel_columns;
      for (std::size_t line = 0; line < panel_columns; line += line_halves) hwy::Prefetch(later + line);
    }
    unpack_values(row, block.values + i * panel_columns);
    if constexpr (with_codes) unpack_codes(row, block.codes + i * panel_columns);
  }
}

}  // namespace quadpair::reference::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
