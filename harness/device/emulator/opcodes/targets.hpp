// The SIMD targets that the handlers are compiled for: AVX-512, AVX2 and portable. Include before Highway.
#pragma once

// The portable target is HWY_SCALAR with every compiler: the handlers know no HWY_EMU128, which rounds MulAdd
// twice.
#define HWY_BROKEN_EMU128 1

#include "hwy/detect_targets.h"

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
