// Products of a warpgroup whose operands both lie in shared memory (sm_90a): d[64, N] += a[64, 16] . b[16,
// N].
#pragma once

#include "kernels/common/wgmma.cuh"

namespace quadpair {

/// `a`: of 64 rows, which lie as b's N do (rows_descriptor()).
template <int N>
__device__ void multiply_staged(float (&d)[N / 8][4], u64 a, u64 b);

#define QUADPAIR_SUMS8(d, i) "+f"(d[i][0]), "+f"(d[i][1]), "+f"(d[i][2]), "+f"(d[i][3])
#define QUADPAIR_SUMS32(d, i) \
  QUADPAIR_SUMS8(d, i), QUADPAIR_SUMS8(d, i + 1), QUADPAIR_SUMS8(d, i + 2), QUADPAIR_SUMS8(d, i + 3)

template <>
__device__ __forceinline__ void multiply_staged<128>(float (&d)[16][4], u64 a, u64 b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
      "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, 1, 1, 1, 0, 0;"
      : QUADPAIR_SUMS32(d, 0), QUADPAIR_SUMS32(d, 4), QUADPAIR_SUMS32(d, 8), QUADPAIR_SUMS32(d, 12)
      : "l"(a), "l"(b));
}

template <>
__device__ __forceinline__ void multiply_staged<160>(float (&d)[20][4], u64 a, u64 b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n160k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
      "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, "
      "%74, %75, %76, %77, %78, %79}, "
      "%80, %81, 1, 1, 1, 0, 0;"
      : QUADPAIR_SUMS32(d, 0), QUADPAIR_SUMS32(d, 4), QUADPAIR_SUMS32(d, 8), QUADPAIR_SUMS32(d, 12),
        QUADPAIR_SUMS32(d, 16)
      : "l"(a), "l"(b));
}

template <>
__device__ __forceinline__ void multiply_staged<192>(float (&d)[24][4], u64 a, u64 b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
      "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, "
      "%74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, "
      "%92, %93, %94, %95}, "
      "%96, %97, 1, 1, 1, 0, 0;"
      : QUADPAIR_SUMS32(d, 0), QUADPAIR_SUMS32(d, 4), QUADPAIR_SUMS32(d, 8), QUADPAIR_SUMS32(d, 12),
        QUADPAIR_SUMS32(d, 16), QUADPAIR_SUMS32(d, 20)
      : "l"(a), "l"(b));
}

#undef QUADPAIR_SUMS32
#undef QUADPAIR_SUMS8

}  // namespace quadpair
