// FP32 operations as PTX specifies them: nearest-even, subnormals kept, NaN results 0x7FFFFFFF. Compiled per
// target.

#if defined(QUADPAIR_EMULATOR_SINGLE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_EMULATOR_SINGLE_INL
#undef QUADPAIR_EMULATOR_SINGLE_INL
#else
#define QUADPAIR_EMULATOR_SINGLE_INL
#endif

#include <cmath>

#include "harness/device/emulator/opcodes/half-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

#define QUADPAIR_SINGLE2(NAME, EXPRESSION)                                \
  struct NAME {                                                           \
    template <class D>                                                    \
    static HWY_INLINE hn::Vec<D> apply(D d, hn::Vec<D> a, hn::Vec<D> b) { \
      return canonical(d, EXPRESSION);                                    \
    }                                                                     \
  };
QUADPAIR_SINGLE2(AddSingle, hn::Add(a, b))
QUADPAIR_SINGLE2(SubSingle, hn::Sub(a, b))
QUADPAIR_SINGLE2(MulSingle, hn::Mul(a, b))
QUADPAIR_SINGLE2(DivSingle, hn::Div(a, b))
#undef QUADPAIR_SINGLE2

struct SqrtSingle {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D d, hn::Vec<D> a) {
    return canonical(d, hn::Sqrt(a));
  }
};

struct RcpSingle {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D d, hn::Vec<D> a) {
    return canonical(d, hn::Div(hn::Set(d, 1.0f), a));
  }
};

struct FmaSingle {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> c) {
#if HWY_TARGET == HWY_SCALAR
    return canonical(d, hn::Set(d, std::fma(hn::GetLane(a), hn::GetLane(b), hn::GetLane(c))));
#else
    static_assert(HWY_NATIVE_FMA, "MulAdd must round once");
    return canonical(d, hn::MulAdd(a, b, c));
#endif
  }
};

/// The lesser (Sign = 0) or greater (Sign = the sign bit) number: -0 is less than +0; a NaN yields the other
/// operand, or NaN when Propagate.
template <bool Greater, bool Propagate>
struct ExtremeSingle {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D d, hn::Vec<D> a, hn::Vec<D> b) {
    const auto a_wins = Greater ? hn::Gt(a, b) : hn::Lt(a, b);
    const auto equal = Greater ? hn::And(a, b) : hn::Or(a, b);  // differ at most in the sign, of zeros
    auto result = hn::IfThenElse(hn::Eq(a, b), equal, hn::IfThenElse(a_wins, a, b));
    const auto a_number = hn::Eq(a, a), b_number = hn::Eq(b, b);
    if constexpr (Propagate) {
      result = hn::IfThenElse(a_number, result, a);
      result = hn::IfThenElse(b_number, result, b);
    } else {
      result = hn::IfThenElse(a_number, result, b);
      result = hn::IfThenElse(b_number, result, a);
    }
    return canonical(d, result);
  }
};
using MinSingle = ExtremeSingle<false, false>;
using MaxSingle = ExtremeSingle<true, false>;
using MinNanSingle = ExtremeSingle<false, true>;
using MaxNanSingle = ExtremeSingle<true, true>;

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
