#include "harness/device/emulator/vector_state.hpp"

#include "hwy/detect_compiler_arch.h"

#if HWY_ARCH_X86
#include <immintrin.h>

namespace quadpair::emulator {
namespace {

__attribute__((target("avx"))) void zero_upper() {
  _mm256_zeroupper();
}

}  // namespace

void clear_upper_halves() {
  if (__builtin_cpu_supports("avx")) zero_upper();
}

}  // namespace quadpair::emulator

#else

void quadpair::emulator::clear_upper_halves() {}

#endif
