// Integer and bit operations that are vector operations.
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/device/emulator/opcodes/integer.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file again, per target

#include "harness/device/emulator/opcodes/lanes-inl.hpp"
#include "harness/device/emulator/opcodes/operations-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

struct Not {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D, hn::Vec<D> a) {
    return hn::Not(a);
  }
};
struct Neg {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D d, hn::Vec<D> a) {
    return hn::Sub(hn::Zero(d), a);
  }
};
struct Abs {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D d, hn::Vec<D> a) {
    return hn::IfThenElse(hn::Lt(a, hn::Zero(d)), hn::Sub(hn::Zero(d), a), a);
  }
};
struct Mad {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> c) {
    return hn::Add(hn::Mul(a, b), c);
  }
};

/// Shifts by 32-bit amounts; past the width the result is all fill.
struct ShiftLeft {
  template <class D>
  static HWY_INLINE hn::Vec<D> same(D d, hn::Vec<D> a, std::uint64_t amount) {
    return amount >= 8 * sizeof(hn::TFromD<D>) ? hn::Zero(d) : hn::ShiftLeftSame(a, static_cast<int>(amount));
  }
  template <class T>
  static T lane(T a, std::uint32_t amount) {
    return amount >= 8 * sizeof(T) ? T{0} : static_cast<T>(a << amount);
  }
};
struct ShiftRight {  // arithmetic for signed types
  template <class D>
  static HWY_INLINE hn::Vec<D> same(D d, hn::Vec<D> a, std::uint64_t amount) {
    using T = hn::TFromD<D>;
    constexpr std::uint64_t width = 8 * sizeof(T);
    if (amount >= width && !std::is_signed_v<T>) return hn::Zero(d);
    return hn::ShiftRightSame(a, static_cast<int>(amount < width ? amount : width - 1));
  }
  template <class T>
  static T lane(T a, std::uint32_t amount) {
    constexpr std::uint32_t width = 8 * sizeof(T);
    if (amount >= width && !std::is_signed_v<T>) return 0;
    return static_cast<T>(a >> (amount < width ? amount : width - 1));
  }
};

template <class Op, class T, bool Full, class Domain>
const Instruction* shift_same(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<T> d;
  Domain::read(ip, context, ip->a);
  const std::uint64_t amount = static_cast<std::uint32_t>(ip->immediate);
  const std::uint32_t to = ip->d, from = ip->a;
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d))
    store<Full>(d, Op::same(d, load(d, file, from, i), amount), file, to, i, context);
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

template <class Op>
struct ShiftLanes {
  template <class T>
  static T apply(T a, std::uint32_t amount) {
    return Op::lane(a, amount);
  }
};

template <class Op, class T, class Domain>
constexpr Opcode shift_opcode(std::string_view mnemonic, Kind kind) {
  Opcode opcode = lanewise_opcode<ShiftLanes<Op>, Domain, T, T, std::uint32_t>(mnemonic, kind);
  opcode.immediate = {shift_same<Op, T, true, Domain>, shift_same<Op, T, false, Domain>};
  return opcode;
}

/// Twice as wide a product, with an addend of that width where Add.
template <class T, bool Immediate, bool Addend, bool Full, class Domain>
const Instruction* wide_product(const Instruction* ip, std::byte* file, Context* context) {
  using Wide = hwy::MakeWide<T>;
  const Tag<Wide> d;
  const hn::Rebind<T, Tag<Wide>> narrow;
  Domain::read(ip, context, ip->a);
  if constexpr (!Immediate) Domain::read(ip, context, ip->b);
  if constexpr (Addend) Domain::read(ip, context, ip->c);
  // The wide destination may overlap no narrow source: slots are shared within one class only.
  auto b = hn::Zero(d);
  if constexpr (Immediate) b = hn::Set(d, static_cast<Wide>(static_cast<T>(ip->immediate)));
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) {
    const auto a = hn::PromoteTo(d, load(narrow, file, ip->a, i));
    if constexpr (!Immediate) b = hn::PromoteTo(d, load(narrow, file, ip->b, i));
    auto product = hn::Zero(d);
    if constexpr (sizeof(T) == 4 && hn::MaxLanes(d) > 1) {
      const hn::Repartition<T, Tag<Wide>> halves;
      product = hn::MulEven(hn::BitCast(halves, a), hn::BitCast(halves, b));
    } else {
      product = hn::Mul(a, b);
    }
    if constexpr (Addend) product = hn::Add(product, load(d, file, ip->c, i));
    store<Full>(d, product, file, ip->d, i, context);
  }
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

template <class T, class Domain>
constexpr Opcode mul_wide_opcode(std::string_view mnemonic) {
  return {mnemonic,
          Kind::integer,
          Form::plain,
          {16 * sizeof(T), 8 * sizeof(T), 8 * sizeof(T)},
          {wide_product<T, false, false, true, Domain>, wide_product<T, false, false, false, Domain>},
          {wide_product<T, true, false, true, Domain>, wide_product<T, true, false, false, Domain>}};
}

template <class T, class Domain>
constexpr Opcode mad_wide_opcode(std::string_view mnemonic) {
  return {mnemonic,
          Kind::integer,
          Form::plain,
          {16 * sizeof(T), 8 * sizeof(T), 8 * sizeof(T), 16 * sizeof(T)},
          {wide_product<T, false, true, true, Domain>, wide_product<T, false, true, false, Domain>},
          {}};
}

template <class D>
constexpr Opcode table[] = {
    binary_opcode<Add, u16, D>("add.u16", Kind::integer),
    binary_opcode<Add, u16, D>("add.s16", Kind::integer),
    binary_opcode<Add, u32, D>("add.u32", Kind::integer),
    binary_opcode<Add, u32, D>("add.s32", Kind::integer),
    binary_opcode<Add, u64, D>("add.u64", Kind::integer),
    binary_opcode<Add, u64, D>("add.s64", Kind::integer),
    binary_opcode<Sub, u16, D>("sub.u16", Kind::integer),
    binary_opcode<Sub, u16, D>("sub.s16", Kind::integer),
    binary_opcode<Sub, u32, D>("sub.u32", Kind::integer),
    binary_opcode<Sub, u32, D>("sub.s32", Kind::integer),
    binary_opcode<Sub, u64, D>("sub.u64", Kind::integer),
    binary_opcode<Sub, u64, D>("sub.s64", Kind::integer),
    binary_opcode<Mul, u16, D>("mul.lo.u16", Kind::integer),
    binary_opcode<Mul, u16, D>("mul.lo.s16", Kind::integer),
    binary_opcode<Mul, u32, D>("mul.lo.u32", Kind::integer),
    binary_opcode<Mul, u32, D>("mul.lo.s32", Kind::integer),
    binary_opcode<Mul, u64, D>("mul.lo.u64", Kind::integer),
    binary_opcode<Mul, u64, D>("mul.lo.s64", Kind::integer),
    mul_wide_opcode<u16, D>("mul.wide.u16"),
    mul_wide_opcode<s16, D>("mul.wide.s16"),
    mul_wide_opcode<u32, D>("mul.wide.u32"),
    mul_wide_opcode<s32, D>("mul.wide.s32"),
    ternary_opcode<Mad, u16, D>("mad.lo.u16", Kind::integer),
    ternary_opcode<Mad, u16, D>("mad.lo.s16", Kind::integer),
    ternary_opcode<Mad, u32, D>("mad.lo.u32", Kind::integer),
    ternary_opcode<Mad, u32, D>("mad.lo.s32", Kind::integer),
    ternary_opcode<Mad, u64, D>("mad.lo.u64", Kind::integer),
    ternary_opcode<Mad, u64, D>("mad.lo.s64", Kind::integer),
    mad_wide_opcode<u16, D>("mad.wide.u16"),
    mad_wide_opcode<s16, D>("mad.wide.s16"),
    mad_wide_opcode<u32, D>("mad.wide.u32"),
    mad_wide_opcode<s32, D>("mad.wide.s32"),
    binary_opcode<Min, u16, D>("min.u16", Kind::integer),
    binary_opcode<Min, s16, D>("min.s16", Kind::integer),
    binary_opcode<Min, u32, D>("min.u32", Kind::integer),
    binary_opcode<Min, s32, D>("min.s32", Kind::integer),
    binary_opcode<Min, u64, D>("min.u64", Kind::integer),
    binary_opcode<Min, s64, D>("min.s64", Kind::integer),
    binary_opcode<Max, u16, D>("max.u16", Kind::integer),
    binary_opcode<Max, s16, D>("max.s16", Kind::integer),
    binary_opcode<Max, u32, D>("max.u32", Kind::integer),
    binary_opcode<Max, s32, D>("max.s32", Kind::integer),
    binary_opcode<Max, u64, D>("max.u64", Kind::integer),
    binary_opcode<Max, s64, D>("max.s64", Kind::integer),
    unary_opcode<Neg, u16, D>("neg.s16", Kind::integer),
    unary_opcode<Neg, u32, D>("neg.s32", Kind::integer),
    unary_opcode<Neg, u64, D>("neg.s64", Kind::integer),
    unary_opcode<Abs, s16, D>("abs.s16", Kind::integer),
    unary_opcode<Abs, s32, D>("abs.s32", Kind::integer),
    unary_opcode<Abs, s64, D>("abs.s64", Kind::integer),
    binary_opcode<And, u16, D>("and.b16", Kind::logic),
    binary_opcode<And, u32, D>("and.b32", Kind::logic),
    binary_opcode<And, u64, D>("and.b64", Kind::logic),
    binary_opcode<Or, u16, D>("or.b16", Kind::logic),
    binary_opcode<Or, u32, D>("or.b32", Kind::logic),
    binary_opcode<Or, u64, D>("or.b64", Kind::logic),
    binary_opcode<Xor, u16, D>("xor.b16", Kind::logic),
    binary_opcode<Xor, u32, D>("xor.b32", Kind::logic),
    binary_opcode<Xor, u64, D>("xor.b64", Kind::logic),
    unary_opcode<Not, u16, D>("not.b16", Kind::logic),
    unary_opcode<Not, u32, D>("not.b32", Kind::logic),
    unary_opcode<Not, u64, D>("not.b64", Kind::logic),
    shift_opcode<ShiftLeft, u16, D>("shl.b16", Kind::logic),
    shift_opcode<ShiftLeft, u32, D>("shl.b32", Kind::logic),
    shift_opcode<ShiftLeft, u64, D>("shl.b64", Kind::logic),
    shift_opcode<ShiftRight, u16, D>("shr.b16", Kind::logic),
    shift_opcode<ShiftRight, u32, D>("shr.b32", Kind::logic),
    shift_opcode<ShiftRight, u64, D>("shr.b64", Kind::logic),
    shift_opcode<ShiftRight, u16, D>("shr.u16", Kind::logic),
    shift_opcode<ShiftRight, u32, D>("shr.u32", Kind::logic),
    shift_opcode<ShiftRight, u64, D>("shr.u64", Kind::logic),
    shift_opcode<ShiftRight, s16, D>("shr.s16", Kind::logic),
    shift_opcode<ShiftRight, s32, D>("shr.s32", Kind::logic),
    shift_opcode<ShiftRight, s64, D>("shr.s64", Kind::logic),
};

std::span<const Opcode> integer_opcodes() {
  return table<PlainDomain>;
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

QUADPAIR_CHOOSE_AT_RUN_TIME(std::span<const Opcode>, integer_opcodes)
