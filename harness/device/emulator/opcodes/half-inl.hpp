// FP16 as FP32 vectors: exact widening, and one rounding back (nearest, ties to even, NaN 0x7FFF). Compiled
// per target.

#if defined(QUADPAIR_EMULATOR_HALF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_EMULATOR_HALF_INL
#undef QUADPAIR_EMULATOR_HALF_INL
#else
#define QUADPAIR_EMULATOR_HALF_INL
#endif

#include "harness/device/emulator/opcodes/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

using HalfTag = hn::Rebind<std::uint16_t, Tag<float>>;

/// NaN as the GPU gives it: 0x7FFFFFFF.
template <class D>
HWY_INLINE hn::Vec<D> canonical(D d, hn::Vec<D> v) {
  const hn::RebindToUnsigned<D> bits;
  return hn::IfThenElse(hn::Eq(v, v), v, hn::BitCast(d, hn::Set(bits, 0x7fffffffu)));
}

#if HWY_TARGET == HWY_SCALAR
inline float widen_half(std::uint16_t half) {
  const std::uint32_t exponent = half >> 10 & 31, fraction = half & 0x3ff;
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
  std::uint32_t bits;
  if (exponent == 31) {
    bits = sign | 0x7f800000 | fraction << 13;
  } else {  // fraction * 2^(e - 24), exact
    const float magnitude = exponent == 0 ? static_cast<float>(fraction) * 0x1p-24f
                                          : static_cast<float>(fraction | 0x400) * 0x1p-24f *
                                                static_cast<float>(1u << (exponent - 1));
    std::memcpy(&bits, &magnitude, sizeof bits);
    bits |= sign;
  }
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline std::uint16_t narrow_to_half(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7fff;
  if (magnitude >= 0x477ff000) return static_cast<std::uint16_t>(sign | 0x7c00);  // from 65520
  std::uint32_t half;
  if (magnitude < 0x38800000) {  // below 2^-14: a multiple of 2^-24, rounded by the addition
    float shifted;
    std::memcpy(&shifted, &magnitude, sizeof shifted);
    shifted += 0.5f;
    std::memcpy(&half, &shifted, sizeof half);
    half -= 0x3f000000;
  } else {
    half = (magnitude + 0xfff + (magnitude >> 13 & 1) - (112u << 23)) >> 13;
  }
  return static_cast<std::uint16_t>(sign | half);
}

template <class D>
HWY_INLINE hn::Vec<D> widen(D d, hn::Vec<HalfTag> half) {
  return hn::Set(d, widen_half(hn::GetLane(half)));
}

template <class D>
HWY_INLINE hn::Vec<HalfTag> narrow(D, hn::Vec<D> v) {
  return hn::Set(HalfTag(), narrow_to_half(hn::GetLane(v)));
}
#else
template <class D>
HWY_INLINE hn::Vec<D> widen(D d, hn::Vec<HalfTag> half) {
  return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, D>(), half));
}

/// A NaN must be the canonical one: it becomes 0x7FFF.
template <class D>
HWY_INLINE hn::Vec<HalfTag> narrow(D, hn::Vec<D> v) {
  return hn::BitCast(HalfTag(), hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), v));
}
#endif

template <class D>
HWY_INLINE hn::Vec<D> load_halves(D d, std::byte* file, std::uint32_t offset, std::size_t lane) {
  return widen(d, load(HalfTag(), file, offset, lane));
}

/// Stores Lanes(float) halves from element `i` of a register that holds Elements (32; or 64, two a lane).
template <bool Full, int Elements>
HWY_INLINE void store_halves(hn::Vec<HalfTag> half, std::byte* file, std::uint32_t offset, std::size_t i,
                             const Context* context) {
  if constexpr (Full || Elements == kWarpLanes) {
    store<Full>(HalfTag(), half, file, offset, i, context);
  } else {
#if HWY_TARGET == HWY_SCALAR
    if (context->active >> (i / 2) & 1) lanes_at<std::uint16_t>(file, offset)[i] = hn::GetLane(half);
#else
    const hn::Repartition<std::uint32_t, HalfTag> pairs;
    store<Full>(pairs, hn::BitCast(pairs, half), file, offset, i / 2, context);
#endif
  }
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
