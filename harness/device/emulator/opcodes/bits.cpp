// Bit fields, permutations and integer operations that are done lane by lane, for the compiler's base target
// alone: they are rare.
#include "harness/device/emulator/opcodes/opcodes.hpp"

#include <bit>

#include "harness/device/emulator/opcodes/lanes-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

struct PopCount {
  template <class T>
  static u32 apply(T a) {
    return static_cast<u32>(std::popcount(a));
  }
};
struct LeadingZeros {
  template <class T>
  static u32 apply(T a) {
    return static_cast<u32>(std::countl_zero(a));
  }
};
struct ReverseBits {
  template <class T>
  static T apply(T a) {
    T result = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) result |= (a >> bit & 1) << (8 * sizeof(T) - 1 - bit);
    return result;
  }
};
struct LogicalNot {
  template <class T>
  static T apply(T a) {
    return a == 0 ? T{1} : T{0};
  }
};
/// The position of the highest bit that differs from the sign; all ones where there is none.
struct FindBit {
  template <class T>
  static u32 apply(T a) {
    using U = std::make_unsigned_t<T>;
    const U bits = a < 0 ? static_cast<U>(~a) : static_cast<U>(a);
    return bits == 0 ? ~0u : static_cast<u32>(8 * sizeof(T) - 1 - std::countl_zero(bits));
  }
};

struct MulHigh {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (sizeof(T) < 8) {
      return static_cast<T>((static_cast<hwy::MakeWide<T>>(a) * b) >> (8 * sizeof(T)));
    } else {
      const u64 x = static_cast<u64>(a), y = static_cast<u64>(b);
      const u64 low = (x & ~0u) * (y & ~0u), cross = (x >> 32) * (y & ~0u) + (low >> 32);
      const u64 other = (x & ~0u) * (y >> 32) + (cross & ~0u);
      u64 high = (x >> 32) * (y >> 32) + (cross >> 32) + (other >> 32);
      if (std::is_signed_v<T>) high -= (a < 0 ? y : 0) + (b < 0 ? x : 0);
      return static_cast<T>(high);
    }
  }
};
struct MadHigh {
  template <class T>
  static T apply(T a, T b, T c) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(MulHigh::apply(a, b)) + static_cast<U>(c));
  }
};
/// By zero: all ones, and for the remainder the dividend, as GPUs give; the least integer by -1: itself, 0.
struct Divide {
  template <class T>
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(-static_cast<u64>(a));
    // A quotient of 32-bit numbers lies at least 2^-32 of itself below the next integer, so that FP64, which
    // divides several times faster, does not round it up to that.
    if constexpr (sizeof(T) <= 4) return static_cast<T>(static_cast<double>(a) / static_cast<double>(b));
    return static_cast<T>(a / b);
  }
};
struct Remainder {
  template <class T>
  static T apply(T a, T b) {
    if (b == 0) return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
};
struct AbsoluteDifferencePlus {
  template <class T>
  static T apply(T a, T b, T c) {
    const u32 difference =
        a > b ? static_cast<u32>(a) - static_cast<u32>(b) : static_cast<u32>(b) - static_cast<u32>(a);
    return static_cast<T>(static_cast<u32>(c) + difference);
  }
};

/// Positions and lengths are taken modulo 256. The field is filled with the sign (of its top bit, or of a's
/// where it reaches beyond a) for signed types.
struct ExtractField {
  template <class T>
  static T apply(T a, u32 b, u32 c) {
    using U = std::make_unsigned_t<T>;
    constexpr u32 width = 8 * sizeof(T);
    const u32 position = b & 255, length = c & 255;
    if (length == 0) return 0;
    const u32 top = std::min(position + length - 1, width - 1);
    const bool fill = std::is_signed_v<T> && (static_cast<U>(a) >> top & 1) != 0;
    const U shifted = position < width ? static_cast<U>(a) >> position : U{0};
    if (length >= width - std::min(position, width) && position < width) {
      const U above = position == 0 ? U{0} : static_cast<U>(~U{0} << (width - position));
      return static_cast<T>(fill ? shifted | above : shifted);
    }
    if (position >= width) return static_cast<T>(fill ? ~U{0} : U{0});
    const U mask = static_cast<U>((U{1} << length) - 1);
    return static_cast<T>(fill ? (shifted & mask) | static_cast<U>(~mask) : shifted & mask);
  }
};
/// Shifts of {b, a} by amounts clamped to 32 or taken modulo 32.
template <bool Left, bool Wrap>
struct Funnel {
  static u32 apply(u32 a, u32 b, u32 c) {
    const u32 amount = Wrap ? c & 31 : std::min(c, 32u);
    const u64 both = static_cast<u64>(b) << 32 | a;
    return static_cast<u32>(Left ? (both << amount) >> 32 : both >> amount);
  }
};

template <class D>
constexpr Opcode table[] = {
    lanewise_opcode<PopCount, D, u32, u32>("popc.b32", Kind::logic),
    lanewise_opcode<LeadingZeros, D, u32, u32>("clz.b32", Kind::logic),
    lanewise_opcode<ReverseBits, D, u32, u32>("brev.b32", Kind::logic),
    lanewise_opcode<FindBit, D, u32, u32>("bfind.u32", Kind::logic),
    lanewise_opcode<ExtractField, D, u32, u32, u32, u32>("bfe.u32", Kind::logic),
    lanewise_opcode<FindBit, D, u32, s32>("bfind.s32", Kind::logic),
    lanewise_opcode<ExtractField, D, s32, s32, u32, u32>("bfe.s32", Kind::logic),
    lanewise_opcode<PopCount, D, u32, u64>("popc.b64", Kind::logic),
    lanewise_opcode<LeadingZeros, D, u32, u64>("clz.b64", Kind::logic),
    lanewise_opcode<ReverseBits, D, u64, u64>("brev.b64", Kind::logic),
    lanewise_opcode<FindBit, D, u32, u64>("bfind.u64", Kind::logic),
    lanewise_opcode<ExtractField, D, u64, u64, u32, u32>("bfe.u64", Kind::logic),
    lanewise_opcode<FindBit, D, u32, s64>("bfind.s64", Kind::logic),
    lanewise_opcode<ExtractField, D, s64, s64, u32, u32>("bfe.s64", Kind::logic),
    lanewise_opcode<LogicalNot, D, u16, u16>("cnot.b16", Kind::logic),
    lanewise_opcode<MulHigh, D, u16, u16, u16>("mul.hi.u16", Kind::integer),
    lanewise_opcode<MadHigh, D, u16, u16, u16, u16>("mad.hi.u16", Kind::integer),
    lanewise_opcode<Divide, D, u16, u16, u16>("div.u16", Kind::integer),
    lanewise_opcode<Remainder, D, u16, u16, u16>("rem.u16", Kind::integer),
    lanewise_opcode<MulHigh, D, s16, s16, s16>("mul.hi.s16", Kind::integer),
    lanewise_opcode<MadHigh, D, s16, s16, s16, s16>("mad.hi.s16", Kind::integer),
    lanewise_opcode<Divide, D, s16, s16, s16>("div.s16", Kind::integer),
    lanewise_opcode<Remainder, D, s16, s16, s16>("rem.s16", Kind::integer),
    lanewise_opcode<LogicalNot, D, u32, u32>("cnot.b32", Kind::logic),
    lanewise_opcode<MulHigh, D, u32, u32, u32>("mul.hi.u32", Kind::integer),
    lanewise_opcode<MadHigh, D, u32, u32, u32, u32>("mad.hi.u32", Kind::integer),
    lanewise_opcode<Divide, D, u32, u32, u32>("div.u32", Kind::integer),
    lanewise_opcode<Remainder, D, u32, u32, u32>("rem.u32", Kind::integer),
    lanewise_opcode<MulHigh, D, s32, s32, s32>("mul.hi.s32", Kind::integer),
    lanewise_opcode<MadHigh, D, s32, s32, s32, s32>("mad.hi.s32", Kind::integer),
    lanewise_opcode<Divide, D, s32, s32, s32>("div.s32", Kind::integer),
    lanewise_opcode<Remainder, D, s32, s32, s32>("rem.s32", Kind::integer),
    lanewise_opcode<LogicalNot, D, u64, u64>("cnot.b64", Kind::logic),
    lanewise_opcode<MulHigh, D, u64, u64, u64>("mul.hi.u64", Kind::integer),
    lanewise_opcode<MadHigh, D, u64, u64, u64, u64>("mad.hi.u64", Kind::integer),
    lanewise_opcode<Divide, D, u64, u64, u64>("div.u64", Kind::integer),
    lanewise_opcode<Remainder, D, u64, u64, u64>("rem.u64", Kind::integer),
    lanewise_opcode<MulHigh, D, s64, s64, s64>("mul.hi.s64", Kind::integer),
    lanewise_opcode<MadHigh, D, s64, s64, s64, s64>("mad.hi.s64", Kind::integer),
    lanewise_opcode<Divide, D, s64, s64, s64>("div.s64", Kind::integer),
    lanewise_opcode<Remainder, D, s64, s64, s64>("rem.s64", Kind::integer),
    lanewise_opcode<AbsoluteDifferencePlus, D, u32, u32, u32, u32>("sad.u32", Kind::integer),
    lanewise_opcode<AbsoluteDifferencePlus, D, s32, s32, s32, s32>("sad.s32", Kind::integer),
    lanewise_opcode<Funnel<true, true>, D, u32, u32, u32, u32>("shf.l.wrap.b32", Kind::logic),
    lanewise_opcode<Funnel<true, false>, D, u32, u32, u32, u32>("shf.l.clamp.b32", Kind::logic),
    lanewise_opcode<Funnel<false, true>, D, u32, u32, u32, u32>("shf.r.wrap.b32", Kind::logic),
    lanewise_opcode<Funnel<false, false>, D, u32, u32, u32, u32>("shf.r.clamp.b32", Kind::logic),
};

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

namespace quadpair::emulator {

std::span<const Opcode> bit_opcodes() {
  return HWY_STATIC_DISPATCH(table)<PlainDomain>;
}

}  // namespace quadpair::emulator
