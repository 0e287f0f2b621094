// cvt: between integer widths, FP16 and FP32.
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/device/emulator/opcodes/convert.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file again, per target

#include <bit>
#include <cmath>
#include <limits>

#include "harness/device/emulator/opcodes/half-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

/// The low bits of `From`, as many as V has, extended as V says to the width of `To`.
template <class To, class From, class V, bool Full, class Domain>
const Instruction* extend(const Instruction* ip, std::byte* file, Context* context) {
  Domain::read(ip, context, ip->a);
  const From* from = lanes_at<From>(file, ip->a);
  store_lanes<Full, To>(file, ip->d, context,
                        [&](std::uint32_t lane) { return static_cast<To>(static_cast<V>(from[lane])); });
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

template <class To, class From, class V, class Domain>
constexpr Opcode extend_opcode(std::string_view value) {
  return {value,
          Kind::convert,
          Form::plain,
          {bits_in<To>, bits_in<From>},
          {extend<To, From, V, true, Domain>, extend<To, From, V, false, Domain>},
          {}};
}

template <bool Full, class Domain>
const Instruction* half_to_single(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<float> d;
  Domain::read(ip, context, ip->a);
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d))
    store<Full>(d, canonical(d, load_halves(d, file, ip->a, i)), file, ip->d, i, context);
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

template <bool Full, class Domain>
const Instruction* single_to_half(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<float> d;
  Domain::read(ip, context, ip->a);
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d))
    store_halves<Full, kWarpLanes>(narrow(d, canonical(d, load(d, file, ip->a, i))), file, ip->d, i, context);
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

/// Two halves: a above, b below.
template <bool Full, class Domain>
const Instruction* singles_to_halves(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<float> d;
  const hn::RebindToUnsigned<Tag<float>> bits;
  Domain::read(ip, context, ip->a);
  Domain::read(ip, context, ip->b);
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) {
    const auto high = hn::PromoteTo(bits, narrow(d, canonical(d, load(d, file, ip->a, i))));
    const auto low = hn::PromoteTo(bits, narrow(d, canonical(d, load(d, file, ip->b, i))));
    store<Full>(bits, hn::Or(hn::ShiftLeft<16>(high), low), file, ip->d, i, context);
  }
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

/// Finite numbers stay finite.
struct SingleToHalfTowardZero {
  static u16 apply(float a) {
    const u32 bits = std::bit_cast<u32>(a), magnitude = bits & 0x7fffffffu;
    const u32 exponent = magnitude >> 23, significand = (magnitude & 0x7fffffu) | 0x800000u;
    const u32 sign = bits >> 16 & 0x8000u;
    if (magnitude > 0x7f800000u) return 0x7fff;
    if (exponent == 255) return static_cast<u16>(sign | 0x7c00u);
    if (exponent >= 127 + 16) return static_cast<u16>(sign | 0x7bffu);
    if (exponent < 127 - 24) return static_cast<u16>(sign);
    const u32 kept = exponent < 127 - 14 ? significand >> (126 - exponent) : (magnitude - (112u << 23)) >> 13;
    return static_cast<u16>(sign | kept);
  }
};

enum class Rounding { nearest, zero, down, up };

template <Rounding R>
float round_to_integer(float a) {
  switch (R) {
    case Rounding::nearest: return std::nearbyint(a);
    case Rounding::zero: return std::trunc(a);
    case Rounding::down: return std::floor(a);
    case Rounding::up: return std::ceil(a);
  }
  return a;
}

/// Clamped to the integer's range; NaN gives 0.
template <class T, Rounding R>
struct SingleToInteger {
  static T apply(float a) {
    using limits = std::numeric_limits<T>;
    if (a != a) return 0;
    const double rounded = round_to_integer<R>(a);
    if (rounded < static_cast<double>(limits::min())) return limits::min();
    if (rounded > static_cast<double>(limits::max())) return limits::max();
    return static_cast<T>(rounded);
  }
};
template <Rounding R>
struct SingleToIntegral {
  static float apply(float a) { return a != a ? std::bit_cast<float>(0x7fffffffu) : round_to_integer<R>(a); }
};
struct IntegerToSingle {
  template <class T>
  static float apply(T a) {
    return static_cast<float>(a);
  }
};

template <class D>
constexpr Opcode table[] = {
    {"cvt.f32.f16",
     Kind::convert,
     Form::plain,
     {32, 16},
     {half_to_single<true, D>, half_to_single<false, D>},
     {}},
    {"cvt.rn.f16.f32",
     Kind::convert,
     Form::plain,
     {16, 32},
     {single_to_half<true, D>, single_to_half<false, D>},
     {}},
    {"cvt.rn.f16x2.f32",
     Kind::convert,
     Form::plain,
     {32, 32, 32},
     {singles_to_halves<true, D>, singles_to_halves<false, D>},
     {}},
    lanewise_opcode<SingleToHalfTowardZero, D, u16, float>("cvt.rz.f16.f32", Kind::convert),
    lanewise_opcode<IntegerToSingle, D, float, u16>("cvt.rn.f32.u16", Kind::convert),
    lanewise_opcode<IntegerToSingle, D, float, s16>("cvt.rn.f32.s16", Kind::convert),
    lanewise_opcode<IntegerToSingle, D, float, u32>("cvt.rn.f32.u32", Kind::convert),
    lanewise_opcode<IntegerToSingle, D, float, s32>("cvt.rn.f32.s32", Kind::convert),
    lanewise_opcode<IntegerToSingle, D, float, u64>("cvt.rn.f32.u64", Kind::convert),
    lanewise_opcode<IntegerToSingle, D, float, s64>("cvt.rn.f32.s64", Kind::convert),
    lanewise_opcode<SingleToInteger<u32, Rounding::nearest>, D, u32, float>("cvt.rni.u32.f32", Kind::convert),
    lanewise_opcode<SingleToInteger<s32, Rounding::nearest>, D, s32, float>("cvt.rni.s32.f32", Kind::convert),
    lanewise_opcode<SingleToIntegral<Rounding::nearest>, D, float, float>("cvt.rni.f32.f32", Kind::convert),
    lanewise_opcode<SingleToInteger<u32, Rounding::zero>, D, u32, float>("cvt.rzi.u32.f32", Kind::convert),
    lanewise_opcode<SingleToInteger<s32, Rounding::zero>, D, s32, float>("cvt.rzi.s32.f32", Kind::convert),
    lanewise_opcode<SingleToIntegral<Rounding::zero>, D, float, float>("cvt.rzi.f32.f32", Kind::convert),
    lanewise_opcode<SingleToInteger<u32, Rounding::down>, D, u32, float>("cvt.rmi.u32.f32", Kind::convert),
    lanewise_opcode<SingleToInteger<s32, Rounding::down>, D, s32, float>("cvt.rmi.s32.f32", Kind::convert),
    lanewise_opcode<SingleToIntegral<Rounding::down>, D, float, float>("cvt.rmi.f32.f32", Kind::convert),
    lanewise_opcode<SingleToInteger<u32, Rounding::up>, D, u32, float>("cvt.rpi.u32.f32", Kind::convert),
    lanewise_opcode<SingleToInteger<s32, Rounding::up>, D, s32, float>("cvt.rpi.s32.f32", Kind::convert),
    lanewise_opcode<SingleToIntegral<Rounding::up>, D, float, float>("cvt.rpi.f32.f32", Kind::convert),
};

template <class D>
constexpr Opcode extensions[] = {
    extend_opcode<u16, u16, u8, D>("u8"),   extend_opcode<u16, u16, s8, D>("s8"),
    extend_opcode<u16, u16, u16, D>("u16"), extend_opcode<u16, u32, u8, D>("u8"),
    extend_opcode<u16, u32, s8, D>("s8"),   extend_opcode<u16, u32, u16, D>("u16"),
    extend_opcode<u16, u64, u8, D>("u8"),   extend_opcode<u16, u64, s8, D>("s8"),
    extend_opcode<u16, u64, u16, D>("u16"), extend_opcode<u32, u16, u8, D>("u8"),
    extend_opcode<u32, u16, s8, D>("s8"),   extend_opcode<u32, u16, u16, D>("u16"),
    extend_opcode<u32, u16, s16, D>("s16"), extend_opcode<u32, u32, u8, D>("u8"),
    extend_opcode<u32, u32, s8, D>("s8"),   extend_opcode<u32, u32, u16, D>("u16"),
    extend_opcode<u32, u32, s16, D>("s16"), extend_opcode<u32, u32, u32, D>("u32"),
    extend_opcode<u32, u64, u8, D>("u8"),   extend_opcode<u32, u64, s8, D>("s8"),
    extend_opcode<u32, u64, u16, D>("u16"), extend_opcode<u32, u64, s16, D>("s16"),
    extend_opcode<u32, u64, u32, D>("u32"), extend_opcode<u64, u16, u8, D>("u8"),
    extend_opcode<u64, u16, s8, D>("s8"),   extend_opcode<u64, u16, u16, D>("u16"),
    extend_opcode<u64, u16, s16, D>("s16"), extend_opcode<u64, u32, u8, D>("u8"),
    extend_opcode<u64, u32, s8, D>("s8"),   extend_opcode<u64, u32, u16, D>("u16"),
    extend_opcode<u64, u32, s16, D>("s16"), extend_opcode<u64, u32, u32, D>("u32"),
    extend_opcode<u64, u32, s32, D>("s32"), extend_opcode<u64, u64, u8, D>("u8"),
    extend_opcode<u64, u64, s8, D>("s8"),   extend_opcode<u64, u64, u16, D>("u16"),
    extend_opcode<u64, u64, s16, D>("s16"), extend_opcode<u64, u64, u32, D>("u32"),
    extend_opcode<u64, u64, s32, D>("s32"), extend_opcode<u64, u64, u64, D>("u64"),
};

std::span<const Opcode> convert_opcodes() {
  return table<PlainDomain>;
}

std::span<const Opcode> integer_conversions() {
  return extensions<PlainDomain>;
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

QUADPAIR_CHOOSE_AT_RUN_TIME(std::span<const Opcode>, convert_opcodes)
QUADPAIR_CHOOSE_AT_RUN_TIME(std::span<const Opcode>, integer_conversions)
