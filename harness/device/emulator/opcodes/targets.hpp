// The SIMD targets that the handlers are compiled for: AVX-512, AVX2 and portable. Include before Highway.
#pragma once

#include "hwy/detect_targets.h"

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
