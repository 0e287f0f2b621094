// Operations on two vectors of integers. Compiled per target.

#if defined(QUADPAIR_EMULATOR_OPERATIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_EMULATOR_OPERATIONS_INL
#undef QUADPAIR_EMULATOR_OPERATIONS_INL
#else
#define QUADPAIR_EMULATOR_OPERATIONS_INL
#endif

#include "harness/device/emulator/opcodes/lanes-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

#define QUADPAIR_OPERATION2(NAME, EXPRESSION)                                              \
  struct NAME {                                                                            \
    template <class D>                                                                     \
    static HWY_INLINE hn::Vec<D> apply([[maybe_unused]] D d, hn::Vec<D> a, hn::Vec<D> b) { \
      return EXPRESSION;                                                                   \
    }                                                                                      \
  };

QUADPAIR_OPERATION2(Add, hn::Add(a, b))
QUADPAIR_OPERATION2(Sub, hn::Sub(a, b))
QUADPAIR_OPERATION2(Mul, hn::Mul(a, b))
QUADPAIR_OPERATION2(And, hn::And(a, b))
QUADPAIR_OPERATION2(Or, hn::Or(a, b))
QUADPAIR_OPERATION2(Xor, hn::Xor(a, b))
QUADPAIR_OPERATION2(Min, hn::Min(a, b))
QUADPAIR_OPERATION2(Max, hn::Max(a, b))
#undef QUADPAIR_OPERATION2

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
