// FP32 arithmetic.
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/device/emulator/opcodes/single.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file again, per target

#include "harness/device/emulator/opcodes/single-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

/// neg and abs touch the sign alone.
struct NegSingle {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D d, hn::Vec<D> a) {
    return hn::Xor(a, hn::Set(d, 0x80000000u));
  }
};
struct AbsSingle {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D d, hn::Vec<D> a) {
    return hn::And(a, hn::Set(d, 0x7fffffffu));
  }
};

template <class D>
constexpr Opcode table[] = {
    binary_opcode<AddSingle, float, D>("add.f32", Kind::fp32),
    binary_opcode<AddSingle, float, D>("add.rn.f32", Kind::fp32),
    binary_opcode<SubSingle, float, D>("sub.f32", Kind::fp32),
    binary_opcode<SubSingle, float, D>("sub.rn.f32", Kind::fp32),
    binary_opcode<MulSingle, float, D>("mul.f32", Kind::fp32),
    binary_opcode<MulSingle, float, D>("mul.rn.f32", Kind::fp32),
    ternary_opcode<FmaSingle, float, D>("fma.rn.f32", Kind::fp32),
    ternary_opcode<FmaSingle, float, D>("mad.rn.f32", Kind::fp32),
    binary_opcode<DivSingle, float, D>("div.rn.f32", Kind::fp32),
    unary_opcode<RcpSingle, float, D>("rcp.rn.f32", Kind::fp32),
    unary_opcode<SqrtSingle, float, D>("sqrt.rn.f32", Kind::fp32),
    binary_opcode<MinSingle, float, D>("min.f32", Kind::fp32),
    binary_opcode<MaxSingle, float, D>("max.f32", Kind::fp32),
    binary_opcode<MinNanSingle, float, D>("min.NaN.f32", Kind::fp32),
    binary_opcode<MaxNanSingle, float, D>("max.NaN.f32", Kind::fp32),
    unary_opcode<NegSingle, std::uint32_t, D>("neg.f32", Kind::fp32),
    unary_opcode<AbsSingle, std::uint32_t, D>("abs.f32", Kind::fp32),
};

std::span<const Opcode> single_opcodes() {
  return table<PlainDomain>;
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

QUADPAIR_CHOOSE_AT_RUN_TIME(std::span<const Opcode>, single_opcodes)
