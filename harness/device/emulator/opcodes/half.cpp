// FP16 and FP16x2 arithmetic, through FP32: products, sums and quotients of 11-bit significands survive the
// rounding to 24 bits, so that the second rounding is the only one that shows (2 * 11 + 2 <= 24).
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/device/emulator/opcodes/half.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file again, per target

#include "harness/device/emulator/opcodes/half-inl.hpp"
#include "harness/device/emulator/opcodes/single-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

/// a * b + c with one rounding to FP16: the product is exact, and the sum is rounded to odd (a bit beyond
/// FP16's significand keeps what was lost), so that the rounding to FP16 sees which side it is on.
struct HalfFma {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> c) {
    const hn::RebindToUnsigned<D> bits;
    const auto product = hn::Mul(a, b);
    const auto sum = hn::Add(product, c);
    const auto c_part = hn::Sub(sum, product);
    const auto error = hn::Add(hn::Sub(product, hn::Sub(sum, c_part)), hn::Sub(c, c_part));  // Knuth's TwoSum
    const auto s = hn::BitCast(bits, sum), e = hn::BitCast(bits, error);
    const auto one = hn::Set(bits, 1u);
    const auto even = hn::Eq(hn::And(s, one), hn::Zero(bits));
    const auto inexact = hn::Gt(hn::And(e, hn::Set(bits, 0x7fffffffu)), hn::Zero(bits));
    const auto finite = hn::Lt(hn::And(s, hn::Set(bits, 0x7fffffffu)), hn::Set(bits, 0x7f800000u));
    const auto opposite = hn::Ne(hn::And(hn::Xor(s, e), hn::Set(bits, 0x80000000u)), hn::Zero(bits));
    const auto odd = hn::IfThenElse(opposite, hn::Sub(s, one), hn::Or(s, one));
    return canonical(d, hn::BitCast(d, hn::IfThenElse(hn::And(finite, hn::And(even, inexact)), odd, s)));
  }
};

template <class Op, int Sources, int Elements, bool Full, class Domain>
const Instruction* halves(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<float> d;
  const std::uint32_t to = ip->d;
  const std::uint32_t sources[] = {ip->a, ip->b, ip->c};
  for (int k = 0; k < Sources; ++k) Domain::read(ip, context, sources[k]);
  for (std::size_t i = 0; i < Elements; i += hn::Lanes(d)) {
    const auto source = [&](int k) HWY_ATTR { return load_halves(d, file, sources[k], i); };
    auto result = source(0);
    if constexpr (Sources == 1)
      result = Op::apply(d, result);
    else if constexpr (Sources == 2)
      result = Op::apply(d, result, source(1));
    else
      result = Op::apply(d, result, source(1), source(2));
    store_halves<Full, Elements>(narrow(d, result), file, to, i, context);
  }
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

/// One bit operation on every half: neg and abs touch the sign alone.
template <std::uint32_t Flip, std::uint32_t Keep>
struct SignBits {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D d, hn::Vec<D> a) {
    using T = hn::TFromD<D>;
    return hn::And(hn::Xor(a, hn::Set(d, static_cast<T>(Flip))), hn::Set(d, static_cast<T>(Keep)));
  }
};
using NegHalf = SignBits<0x80008000u, 0xffffffffu>;
using AbsHalf = SignBits<0, 0x7fff7fffu>;

template <class Op, int Sources, int Elements, class Domain>
constexpr Opcode halves_opcode(std::string_view mnemonic) {
  constexpr std::uint8_t width = Elements / 2;
  return {mnemonic,
          Kind::fp16,
          Form::plain,
          {width, width, Sources > 1 ? width : std::uint8_t{0}, Sources > 2 ? width : std::uint8_t{0}},
          {halves<Op, Sources, Elements, true, Domain>, halves<Op, Sources, Elements, false, Domain>},
          {}};
}

template <class D>
constexpr Opcode table[] = {
    halves_opcode<AddSingle, 2, 32, D>("add.f16"),
    halves_opcode<AddSingle, 2, 32, D>("add.rn.f16"),
    halves_opcode<SubSingle, 2, 32, D>("sub.f16"),
    halves_opcode<SubSingle, 2, 32, D>("sub.rn.f16"),
    halves_opcode<MulSingle, 2, 32, D>("mul.f16"),
    halves_opcode<MulSingle, 2, 32, D>("mul.rn.f16"),
    halves_opcode<HalfFma, 3, 32, D>("fma.rn.f16"),
    halves_opcode<MinSingle, 2, 32, D>("min.f16"),
    halves_opcode<MaxSingle, 2, 32, D>("max.f16"),
    halves_opcode<MinNanSingle, 2, 32, D>("min.NaN.f16"),
    halves_opcode<MaxNanSingle, 2, 32, D>("max.NaN.f16"),
    unary_opcode<NegHalf, std::uint16_t, D>("neg.f16", Kind::fp16),
    unary_opcode<AbsHalf, std::uint16_t, D>("abs.f16", Kind::fp16),
    halves_opcode<AddSingle, 2, 64, D>("add.f16x2"),
    halves_opcode<AddSingle, 2, 64, D>("add.rn.f16x2"),
    halves_opcode<SubSingle, 2, 64, D>("sub.f16x2"),
    halves_opcode<SubSingle, 2, 64, D>("sub.rn.f16x2"),
    halves_opcode<MulSingle, 2, 64, D>("mul.f16x2"),
    halves_opcode<MulSingle, 2, 64, D>("mul.rn.f16x2"),
    halves_opcode<HalfFma, 3, 64, D>("fma.rn.f16x2"),
    halves_opcode<MinSingle, 2, 64, D>("min.f16x2"),
    halves_opcode<MaxSingle, 2, 64, D>("max.f16x2"),
    halves_opcode<MinNanSingle, 2, 64, D>("min.NaN.f16x2"),
    halves_opcode<MaxNanSingle, 2, 64, D>("max.NaN.f16x2"),
    unary_opcode<NegHalf, std::uint32_t, D>("neg.f16x2", Kind::fp16),
    unary_opcode<AbsHalf, std::uint32_t, D>("abs.f16x2", Kind::fp16),
};

std::span<const Opcode> half_opcodes() {
  return table<PlainDomain>;
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

QUADPAIR_CHOOSE_AT_RUN_TIME(std::span<const Opcode>, half_opcodes)
