// setp and selp.
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/device/emulator/opcodes/compare.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file again, per target

#include "harness/device/emulator/opcodes/half-inl.hpp"
#include "harness/device/emulator/opcodes/lanes-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

#define QUADPAIR_COMPARISON(NAME, EXPRESSION)                                               \
  struct NAME {                                                                             \
    template <class D>                                                                      \
    static HWY_INLINE hn::Mask<D> apply([[maybe_unused]] D d, hn::Vec<D> a, hn::Vec<D> b) { \
      return EXPRESSION;                                                                    \
    }                                                                                       \
  };

QUADPAIR_COMPARISON(Equal, hn::Eq(a, b))
QUADPAIR_COMPARISON(NotEqual, hn::Not(hn::Eq(a, b)))  // Ne is false for NaN on some targets
QUADPAIR_COMPARISON(Less, hn::Lt(a, b))
QUADPAIR_COMPARISON(Greater, hn::Gt(a, b))
// Of integers.
QUADPAIR_COMPARISON(NotGreater, hn::Not(hn::Gt(a, b)))
QUADPAIR_COMPARISON(NotLess, hn::Not(hn::Lt(a, b)))
// Of floating values: the ordered ones are false, the others true, when an operand is NaN.
QUADPAIR_COMPARISON(LessEqual, hn::Le(a, b))
QUADPAIR_COMPARISON(GreaterEqual, hn::Ge(a, b))
QUADPAIR_COMPARISON(OrderedNotEqual, hn::Or(hn::Lt(a, b), hn::Gt(a, b)))
QUADPAIR_COMPARISON(UnorderedEqual, hn::Not(hn::Or(hn::Lt(a, b), hn::Gt(a, b))))
QUADPAIR_COMPARISON(NotLessEqual, hn::Not(hn::Le(a, b)))
QUADPAIR_COMPARISON(NotGreaterEqual, hn::Not(hn::Ge(a, b)))
QUADPAIR_COMPARISON(Number, hn::And(hn::Eq(a, a), hn::Eq(b, b)))
QUADPAIR_COMPARISON(Unordered, hn::Not(hn::And(hn::Eq(a, a), hn::Eq(b, b))))
#undef QUADPAIR_COMPARISON

template <class Op, class T, bool Immediate, bool Full, class Domain>
const Instruction* compare(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<T> d;
  Domain::read(ip, context, ip->a);
  if constexpr (!Immediate) Domain::read(ip, context, ip->b);
  auto b = hn::Zero(d);
  if constexpr (Immediate) {
    T value;
    std::memcpy(&value, &ip->immediate, sizeof value);
    b = hn::Set(d, value);
  }
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) {
    if constexpr (!Immediate) b = load(d, file, ip->b, i);
    bits |= bits_of(d, Op::apply(d, load(d, file, ip->a, i), b)) << i;
  }
  store_predicate<Full>(bits, file, ip->d, context);
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

/// Of FP16 values, as FP32.
template <class Op, bool Full, class Domain>
const Instruction* compare_halves(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<float> d;
  Domain::read(ip, context, ip->a);
  Domain::read(ip, context, ip->b);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d))
    bits |= bits_of(d, Op::apply(d, load_halves(d, file, ip->a, i), load_halves(d, file, ip->b, i))) << i;
  store_predicate<Full>(bits, file, ip->d, context);
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

template <class Op, class T, class Domain>
constexpr Opcode compare_opcode(std::string_view mnemonic) {
  return {mnemonic,
          Kind::compare,
          Form::plain,
          {1, bits_in<T>, bits_in<T>},
          {compare<Op, T, false, true, Domain>, compare<Op, T, false, false, Domain>},
          {compare<Op, T, true, true, Domain>, compare<Op, T, true, false, Domain>}};
}

template <class Op, class Domain>
constexpr Opcode compare_halves_opcode(std::string_view mnemonic) {
  return {mnemonic,
          Kind::compare,
          Form::plain,
          {1, 16, 16},
          {compare_halves<Op, true, Domain>, compare_halves<Op, false, Domain>},
          {}};
}

/// d = c ? a : b
template <class T, bool Full, class Domain>
const Instruction* select(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<T> d;
  for (std::uint32_t source : {ip->a, ip->b, ip->c}) Domain::read(ip, context, source);
  const std::uint32_t chosen = *lanes_at<std::uint32_t>(file, ip->c);
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d))
    store<Full>(d, hn::IfThenElse(mask_of(d, chosen, i), load(d, file, ip->a, i), load(d, file, ip->b, i)),
                file, ip->d, i, context);
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

template <class T, class Domain>
constexpr Opcode select_opcode(std::string_view mnemonic) {
  return {mnemonic,
          Kind::compare,
          Form::plain,
          {bits_in<T>, bits_in<T>, bits_in<T>, 1},
          {select<T, true, Domain>, select<T, false, Domain>},
          {}};
}

template <class D>
constexpr Opcode table[] = {
    compare_opcode<Equal, u16, D>("setp.eq.u16"),
    compare_opcode<NotEqual, u16, D>("setp.ne.u16"),
    compare_opcode<Less, u16, D>("setp.lt.u16"),
    compare_opcode<NotGreater, u16, D>("setp.le.u16"),
    compare_opcode<Greater, u16, D>("setp.gt.u16"),
    compare_opcode<NotLess, u16, D>("setp.ge.u16"),
    compare_opcode<Equal, u32, D>("setp.eq.u32"),
    compare_opcode<NotEqual, u32, D>("setp.ne.u32"),
    compare_opcode<Less, u32, D>("setp.lt.u32"),
    compare_opcode<NotGreater, u32, D>("setp.le.u32"),
    compare_opcode<Greater, u32, D>("setp.gt.u32"),
    compare_opcode<NotLess, u32, D>("setp.ge.u32"),
    compare_opcode<Equal, u64, D>("setp.eq.u64"),
    compare_opcode<NotEqual, u64, D>("setp.ne.u64"),
    compare_opcode<Less, u64, D>("setp.lt.u64"),
    compare_opcode<NotGreater, u64, D>("setp.le.u64"),
    compare_opcode<Greater, u64, D>("setp.gt.u64"),
    compare_opcode<NotLess, u64, D>("setp.ge.u64"),
    compare_opcode<Equal, s16, D>("setp.eq.s16"),
    compare_opcode<NotEqual, s16, D>("setp.ne.s16"),
    compare_opcode<Less, s16, D>("setp.lt.s16"),
    compare_opcode<NotGreater, s16, D>("setp.le.s16"),
    compare_opcode<Greater, s16, D>("setp.gt.s16"),
    compare_opcode<NotLess, s16, D>("setp.ge.s16"),
    compare_opcode<Equal, s32, D>("setp.eq.s32"),
    compare_opcode<NotEqual, s32, D>("setp.ne.s32"),
    compare_opcode<Less, s32, D>("setp.lt.s32"),
    compare_opcode<NotGreater, s32, D>("setp.le.s32"),
    compare_opcode<Greater, s32, D>("setp.gt.s32"),
    compare_opcode<NotLess, s32, D>("setp.ge.s32"),
    compare_opcode<Equal, s64, D>("setp.eq.s64"),
    compare_opcode<NotEqual, s64, D>("setp.ne.s64"),
    compare_opcode<Less, s64, D>("setp.lt.s64"),
    compare_opcode<NotGreater, s64, D>("setp.le.s64"),
    compare_opcode<Greater, s64, D>("setp.gt.s64"),
    compare_opcode<NotLess, s64, D>("setp.ge.s64"),
    compare_opcode<Less, u16, D>("setp.lo.u16"),
    compare_opcode<NotGreater, u16, D>("setp.ls.u16"),
    compare_opcode<Greater, u16, D>("setp.hi.u16"),
    compare_opcode<NotLess, u16, D>("setp.hs.u16"),
    compare_opcode<Less, u32, D>("setp.lo.u32"),
    compare_opcode<NotGreater, u32, D>("setp.ls.u32"),
    compare_opcode<Greater, u32, D>("setp.hi.u32"),
    compare_opcode<NotLess, u32, D>("setp.hs.u32"),
    compare_opcode<Less, u64, D>("setp.lo.u64"),
    compare_opcode<NotGreater, u64, D>("setp.ls.u64"),
    compare_opcode<Greater, u64, D>("setp.hi.u64"),
    compare_opcode<NotLess, u64, D>("setp.hs.u64"),
    compare_opcode<Equal, u16, D>("setp.eq.b16"),
    compare_opcode<NotEqual, u16, D>("setp.ne.b16"),
    compare_opcode<Equal, u32, D>("setp.eq.b32"),
    compare_opcode<NotEqual, u32, D>("setp.ne.b32"),
    compare_opcode<Equal, u64, D>("setp.eq.b64"),
    compare_opcode<NotEqual, u64, D>("setp.ne.b64"),
    compare_opcode<Equal, float, D>("setp.eq.f32"),
    compare_opcode<OrderedNotEqual, float, D>("setp.ne.f32"),
    compare_opcode<Less, float, D>("setp.lt.f32"),
    compare_opcode<LessEqual, float, D>("setp.le.f32"),
    compare_opcode<Greater, float, D>("setp.gt.f32"),
    compare_opcode<GreaterEqual, float, D>("setp.ge.f32"),
    compare_opcode<UnorderedEqual, float, D>("setp.equ.f32"),
    compare_opcode<NotEqual, float, D>("setp.neu.f32"),
    compare_opcode<NotGreaterEqual, float, D>("setp.ltu.f32"),
    compare_opcode<NotGreater, float, D>("setp.leu.f32"),
    compare_opcode<NotLessEqual, float, D>("setp.gtu.f32"),
    compare_opcode<NotLess, float, D>("setp.geu.f32"),
    compare_opcode<Number, float, D>("setp.num.f32"),
    compare_opcode<Unordered, float, D>("setp.nan.f32"),
    compare_halves_opcode<Equal, D>("setp.eq.f16"),
    compare_halves_opcode<OrderedNotEqual, D>("setp.ne.f16"),
    compare_halves_opcode<Less, D>("setp.lt.f16"),
    compare_halves_opcode<LessEqual, D>("setp.le.f16"),
    compare_halves_opcode<Greater, D>("setp.gt.f16"),
    compare_halves_opcode<GreaterEqual, D>("setp.ge.f16"),
    compare_halves_opcode<UnorderedEqual, D>("setp.equ.f16"),
    compare_halves_opcode<NotEqual, D>("setp.neu.f16"),
    compare_halves_opcode<NotGreaterEqual, D>("setp.ltu.f16"),
    compare_halves_opcode<NotGreater, D>("setp.leu.f16"),
    compare_halves_opcode<NotLessEqual, D>("setp.gtu.f16"),
    compare_halves_opcode<NotLess, D>("setp.geu.f16"),
    compare_halves_opcode<Number, D>("setp.num.f16"),
    compare_halves_opcode<Unordered, D>("setp.nan.f16"),
    select_opcode<u16, D>("selp.b16"),
    select_opcode<u16, D>("selp.u16"),
    select_opcode<u16, D>("selp.s16"),
    select_opcode<u16, D>("selp.f16"),
    select_opcode<u32, D>("selp.b32"),
    select_opcode<u32, D>("selp.u32"),
    select_opcode<u32, D>("selp.s32"),
    select_opcode<u32, D>("selp.f32"),
    select_opcode<u64, D>("selp.b64"),
    select_opcode<u64, D>("selp.u64"),
    select_opcode<u64, D>("selp.s64"),
    select_opcode<u64, D>("selp.f64"),
};

std::span<const Opcode> compare_opcodes() {
  return table<PlainDomain>;
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

QUADPAIR_CHOOSE_AT_RUN_TIME(std::span<const Opcode>, compare_opcodes)
