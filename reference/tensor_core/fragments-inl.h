// FP16 pairs of a fragment register as FP32 vectors and as exponent codes.
#if defined(QUADPAIR_REFERENCE_TENSOR_CORE_FRAGMENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_REFERENCE_TENSOR_CORE_FRAGMENTS_INL_H_
#undef QUADPAIR_REFERENCE_TENSOR_CORE_FRAGMENTS_INL_H_
#else
#define QUADPAIR_REFERENCE_TENSOR_CORE_FRAGMENTS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "reference/tensor_core/fused_step-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::reference::HWY_NAMESPACE {

/// Lanes of 32 bits, as many as a vector holds but at most half a warp; whole 128-bit blocks of four lanes.
using F32 = hn::CappedTag<float, 16>;
using I32 = hn::RebindToSigned<F32>;
using U32 = hn::RebindToUnsigned<F32>;
using U16 = hn::Repartition<std::uint16_t, F32>;
using U8 = hn::Repartition<std::uint8_t, F32>;
using Floats = hn::VFromD<F32>;
using Words = hn::VFromD<U32>;
using Bytes = hn::VFromD<U8>;

inline constexpr std::size_t lanes = hn::MaxLanes(F32());

/// The vector of a register that starts at `lane`.
HWY_INLINE Words load_words(const std::byte* file, std::uint32_t offset, std::size_t lane) {
  return hn::Load(U32(), reinterpret_cast<const std::uint32_t*>(file + offset) + lane);
}
HWY_INLINE Floats load_floats(const std::byte* file, std::uint32_t offset, std::size_t lane) {
  return hn::BitCast(F32(), load_words(file, offset, lane));
}
HWY_INLINE void store_floats(Floats x, std::byte* file, std::uint32_t offset, std::size_t lane) {
  hn::Store(hn::BitCast(U32(), x), U32(), reinterpret_cast<std::uint32_t*>(file + offset) + lane);
}

/// The FP16 numbers in the low halves of words (the high halves are zero), exactly; a NaN stays one.
HWY_INLINE Floats halves_to_float(Words w) {
  const F32 df;
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
  const hn::Rebind<std::uint16_t, F32> du16;
  const hn::Rebind<hwy::float16_t, F32> df16;
  return hn::PromoteTo(df, hn::BitCast(df16, hn::TruncateTo(du16, w)));
#else
  const U32 du;
  const auto field_and_fraction = hn::ShiftLeft<13>(hn::And(w, hn::Set(du, 0x7FFF)));
  const auto exponent = hn::And(field_and_fraction, hn::Set(du, 31u << 23));
  const auto rebiased = hn::Add(field_and_fraction, hn::Set(du, 112u << 23));
  const auto special = hn::Add(field_and_fraction, hn::Set(du, 224u << 23));
  // A subnormal as a normal number with its fraction's bits above 2^-14, and 2^-14 taken away again.
  const auto hidden = hn::Set(du, 113u << 23);
  const auto subnormal =
      hn::Sub(hn::BitCast(df, hn::Or(field_and_fraction, hidden)), hn::BitCast(df, hidden));
  auto magnitude = hn::IfThenElse(hn::Eq(exponent, hn::Set(du, 31u << 23)), special, rebiased);
  magnitude = hn::IfThenElse(hn::Eq(exponent, hn::Zero(du)), hn::BitCast(du, subnormal), magnitude);
  return hn::BitCast(df, hn::Or(magnitude, hn::ShiftLeft<16>(hn::And(w, hn::Set(du, 0x8000)))));
#endif
}
HWY_INLINE Floats low_halves(Words w) {
  return halves_to_float(hn::And(w, hn::Set(U32(), 0xFFFF)));
}
HWY_INLINE Floats high_halves(Words w) {
  return halves_to_float(hn::ShiftRight<16>(w));
}

// Exponent codes of FP16 numbers fit bytes: 0 for a zero, else max(exponent field, 1) + 64, so that the sum
// of two codes tells from a product with a zero factor (at most 95) and one without (130 and more).
inline constexpr std::uint8_t special_code = 31 + 64;  ///< infinity or NaN

/// The codes of the halves of words, in 16-bit lanes.
HWY_INLINE hn::VFromD<U16> exponent_codes(Words w) {
  const U16 d;
  const auto magnitude = hn::And(hn::BitCast(d, w), hn::Set(d, 0x7FFF));
  const auto field = hn::Max(hn::ShiftRight<10>(magnitude), hn::Set(d, 1));
  return hn::IfThenZeroElse(hn::Eq(magnitude, hn::Zero(d)), hn::Add(field, hn::Set(d, 64)));
}

/// Codes of two registers in bytes: half k of a word gives byte 2k (from `even`) and 2k+1 (from `odd`).
HWY_INLINE Bytes paired_codes(Words even, Words odd) {
  return hn::BitCast(U8(), hn::Or(exponent_codes(even), hn::ShiftLeft<8>(exponent_codes(odd))));
}

HWY_INLINE bool any_special(Bytes codes) {
  const auto at_least = hn::Eq(hn::Max(codes, hn::Set(U8(), special_code)), codes);
  return !hn::AllFalse(U8(), at_least);
}

/// The largest product exponents as biased FP32 exponents, from the largest sums of codes.
HWY_INLINE Bytes biased_exponents(Bytes largest_sum) {
  const auto none = hn::Set(U8(), no_product_exponent >> 23);
  return hn::Add(hn::SaturatedSub(largest_sum, hn::Set(U8(), 128)), none);
}

/// Byte `index` of each word, as an FP32 exponent field in place.
template <int index>
HWY_INLINE hn::VFromD<I32> exponent_of_byte(Bytes bytes) {
  const auto words = hn::BitCast(I32(), bytes);
  const auto mask = hn::Set(I32(), exponent_mask);
  if constexpr (index == 3)
    return hn::And(hn::ShiftRight<1>(words), mask);
  else
    return hn::And(hn::ShiftLeft<23 - 8 * (index % 3)>(words), mask);
}

}  // namespace quadpair::reference::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
