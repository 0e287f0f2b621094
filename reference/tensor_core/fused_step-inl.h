// The truncating step T(F; p_1..p_n, c) over a vector of independent outputs (see docs/arithmetic.md).
// Included once a SIMD target, as Highway's -inl headers are.
#if defined(QUADPAIR_REFERENCE_TENSOR_CORE_FUSED_STEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_REFERENCE_TENSOR_CORE_FUSED_STEP_INL_H_
#undef QUADPAIR_REFERENCE_TENSOR_CORE_FUSED_STEP_INL_H_
#else
#define QUADPAIR_REFERENCE_TENSOR_CORE_FUSED_STEP_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::reference::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class DF>
using Ints = hn::VFromD<hn::RebindToSigned<DF>>;

inline constexpr std::int32_t exponent_mask = 0x7F800000;
/// The product exponent (an FP32 exponent field in place) that stands for "every product is zero": one
/// below 2^-29, which no nonzero product reaches (the smallest aligns at exponent -28).
inline constexpr std::int32_t no_product_exponent = 97 << 23;

/// Truncation toward zero of |x| < 2^31, without Highway's handling of overflow.
template <class DF>
HWY_INLINE Ints<DF> truncate_in_range([[maybe_unused]] DF df, hn::VFromD<DF> x) {
  const hn::RebindToSigned<DF> di;
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  if constexpr (hn::MaxLanes(df) == 16) return Ints<DF>{_mm512_cvttps_epi32(x.raw)};
#endif
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
  if constexpr (hn::MaxLanes(df) == 8) return Ints<DF>{_mm256_cvttps_epi32(x.raw)};
#endif
#if HWY_TARGET <= HWY_SSSE3 && HWY_ARCH_X86
  if constexpr (hn::MaxLanes(df) <= 4) return Ints<DF>{_mm_cvttps_epi32(x.raw)};
#endif
  return hn::ConvertTo(di, x);
}

/// FP32 from an integer above -2^31, truncated toward zero.
template <class DF>
HWY_INLINE hn::VFromD<DF> to_float_truncating(DF df, Ints<DF> x) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  if constexpr (hn::MaxLanes(df) == 16) {
    return hn::VFromD<DF>{_mm512_cvt_roundepi32_ps(x.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)};
  }
#endif
  // Nearest, then one ulp back where that went up. Halves are compared, which stay in range; a rounded
  // value is even, so they tell as much.
  const hn::RebindToSigned<DF> di;
  const auto magnitude = hn::Abs(x);
  const auto nearest = hn::ConvertTo(df, magnitude);
  const auto half = truncate_in_range(df, hn::Mul(nearest, hn::Set(df, 0.5f)));
  const auto went_up = hn::VecFromMask(di, hn::Gt(half, hn::ShiftRight<1>(magnitude)));
  return hn::CopySign(hn::BitCast(df, hn::Add(hn::BitCast(di, nearest), went_up)), hn::BitCast(df, x));
}

/// The sum of two integers below 2^31 as FP32, truncated toward zero, where the sum may leave 32 bits.
template <class DF>
HWY_INLINE hn::VFromD<DF> sum_to_float_truncating(DF df, Ints<DF> x, Ints<DF> y) {
  const hn::RebindToSigned<DF> di;
  const auto sum = hn::Add(x, y);
  const auto narrow = to_float_truncating(df, sum);
  const auto left_range = hn::MaskFromVec(hn::BroadcastSignBit(hn::And(hn::Xor(x, sum), hn::Xor(y, sum))));
  if (HWY_LIKELY(hn::AllFalse(di, left_range))) return narrow;
  // The lowest bit of such a sum is lost in FP32 anyway, so half of it, toward zero, will do.
  const auto one = hn::Set(di, 1);
  const auto half = hn::Add(hn::Add(hn::ShiftRight<1>(x), hn::ShiftRight<1>(y)), hn::And(hn::And(x, y), one));
  const auto up = hn::And(hn::And(hn::Xor(x, y), one), hn::BroadcastSignBit(half));
  const auto wide = hn::Mul(to_float_truncating(df, hn::Add(half, up)), hn::Set(df, 2.0f));
  return hn::IfThenElse(hn::RebindMask(df, left_range), wide, narrow);
}

/// One truncating step of `products` products (at most 8, or 16) with F = f, for Lanes(df) outputs at once.
///
/// product(k) is the vector of a_k . b_k, which is exact in FP32. product_exponent holds, in an FP32
/// exponent field, the largest ea + eb among the nonzero products of each output (unnormalised: an FP16
/// subnormal counts as -14), or no_product_exponent. All inputs are finite; lanes where one is not give
/// garbage (see `with_specials`), and where c is not finite `largest`, a running maximum of the exponents
/// E, reaches exponent_mask.
///
/// Every term is scaled by 2^(F-E), an exact FP32 multiply, and truncated to an integer; the integers are
/// summed exactly. Every output has a nonzero product unless `maybe_alone`.
template <int f, int products, bool maybe_alone = true, class DF, class Product>
HWY_INLINE hn::VFromD<DF> truncating_step(DF df, Product product, Ints<DF> product_exponent, hn::VFromD<DF> c,
                                          Ints<DF>& largest) {
  static_assert(products <= 8 || products == 16);
  const hn::RebindToSigned<DF> di;
  const auto c_exponent = hn::And(hn::BitCast(di, c), hn::Set(di, exponent_mask));
  const auto exponent = hn::Max(c_exponent, product_exponent);
  largest = hn::Max(largest, exponent);
  const auto scale = hn::BitCast(df, hn::Sub(hn::Set(di, (254 + f) << 23), exponent));
  const auto unit = hn::BitCast(df, hn::Sub(exponent, hn::Set(di, f << 23)));

  // A term is below 2^(F+2): eight of them and c fit 32 bits for F <= 25, sixteen need a second sum.
  constexpr int first = std::min(products, 8);
  auto sum = truncate_in_range(df, hn::Mul(c, scale));
#pragma GCC unroll 8
  for (int k = 0; k < first; ++k) {
    sum = hn::Add(sum, truncate_in_range(df, hn::Mul(product(k), scale)));
  }
  hn::VFromD<DF> total;
  if constexpr (products == 16) {
    auto second = truncate_in_range(df, hn::Mul(product(8), scale));
#pragma GCC unroll 8
    for (int k = 9; k < 16; ++k) {
      second = hn::Add(second, truncate_in_range(df, hn::Mul(product(k), scale)));
    }
    total = sum_to_float_truncating(df, sum, second);
  } else {
    total = to_float_truncating(df, sum);
  }
  if constexpr (!maybe_alone) return hn::Mul(total, unit);
  // E is not that small where c stands alone: then the step gives c, and +0 for -0.
  const auto alone = hn::Eq(product_exponent, hn::Set(di, no_product_exponent));
  return hn::IfThenElse(hn::RebindMask(df, alone), hn::Add(c, hn::Zero(df)), hn::Mul(total, unit));
}

/// `finite` with infinities and NaN (0x7FFFFFFF) in the lanes that have one: the FP32 sum of all products
/// and then c is infinite or NaN there, of the right kind, and nowhere else (products are below 2^32, too
/// small to carry c over).
template <int products, class DF, class Product>
HWY_INLINE hn::VFromD<DF> with_specials(DF df, Product product, hn::VFromD<DF> c, hn::VFromD<DF> finite) {
  const hn::RebindToSigned<DF> di;
  auto sum = product(0);
  for (int k = 1; k < products; ++k) sum = hn::Add(sum, product(k));
  sum = hn::Add(sum, c);
  const auto nan = hn::BitCast(df, hn::Set(di, 0x7FFFFFFF));
  const auto special = hn::IfThenElse(hn::IsNaN(sum), nan, sum);
  return hn::IfThenElse(hn::IsFinite(sum), finite, special);
}

}  // namespace quadpair::reference::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
