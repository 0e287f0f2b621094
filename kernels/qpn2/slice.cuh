// The Slice of the target that is compiled for.
#pragma once

#if __CUDA_ARCH__ >= 800
#include "kernels/qpn2/slice_m16n8k16.cuh"
#else
#include "kernels/qpn2/slice_m8n8k4.cuh"
#endif
