// Matrix instructions of a warpgroup, four neighbouring warps (sm_90a): d[64, N] += a[64, 16] . b[16, N], a
// in registers, b in shared memory. Warp w of the group holds rows 16w.. of a and d as m16n8k16 does.
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair {

/// What the warp has read and written of fragments and sums comes before the products that follow.
__device__ __forceinline__ void fence_products() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/// The products issued since the last call are a group.
__device__ __forceinline__ void end_product_group() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/// Waits until at most `Groups` of the latest groups are not complete.
template <int Groups>
__device__ __forceinline__ void wait_for_product_groups() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" : : "n"(Groups) : "memory");
}

/// What the thread has stored to shared memory is seen by products that come after the next barrier.
__device__ __forceinline__ void fence_for_products() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// b as N rows of 128 bytes, in blocks of 8 rows that begin at multiples of 1024 bytes and whose 16-byte
/// chunks are exchanged by row % 8: 128-byte swizzle, 1024 bytes from block to block (PTX ISA, "Matrix
/// Descriptor"). `address` is in shared memory; 16 k further on are 2 more.
__device__ __forceinline__ u64 rows_descriptor(u32 address) {
  return 1ull << 62 | 64ull << 32 | 1ull << 16 | (address & 0x3FFFF) >> 4;
}

template <int N>
__device__ void multiply_warpgroup(float (&d)[N / 8][4], u32 a0, u32 a1, u32 a2, u32 a3, u64 b);

#define QUADPAIR_SUMS8(d, i) "+f"(d[i][0]), "+f"(d[i][1]), "+f"(d[i][2]), "+f"(d[i][3])
#define QUADPAIR_SUMS32(d, i) \
  QUADPAIR_SUMS8(d, i), QUADPAIR_SUMS8(d, i + 1), QUADPAIR_SUMS8(d, i + 2), QUADPAIR_SUMS8(d, i + 3)

template <>
__device__ __forceinline__ void multiply_warpgroup<64>(float (&d)[8][4], u32 a0, u32 a1, u32 a2, u32 a3,
                                                       u64 b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
      "{%32, %33, %34, %35}, %36, 1, 1, 1, 0;"
      : QUADPAIR_SUMS32(d, 0), QUADPAIR_SUMS32(d, 4)
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b));
}

template <>
__device__ __forceinline__ void multiply_warpgroup<96>(float (&d)[12][4], u32 a0, u32 a1, u32 a2, u32 a3,
                                                       u64 b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n96k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
      "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47}, "
      "{%48, %49, %50, %51}, %52, 1, 1, 1, 0;"
      : QUADPAIR_SUMS32(d, 0), QUADPAIR_SUMS32(d, 4), QUADPAIR_SUMS32(d, 8)
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b));
}

template <>
__device__ __forceinline__ void multiply_warpgroup<128>(float (&d)[16][4], u32 a0, u32 a1, u32 a2, u32 a3,
                                                        u64 b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
      "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63}, "
      "{%64, %65, %66, %67}, %68, 1, 1, 1, 0;"
      : QUADPAIR_SUMS32(d, 0), QUADPAIR_SUMS32(d, 4), QUADPAIR_SUMS32(d, 8), QUADPAIR_SUMS32(d, 12)
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b));
}

template <>
__device__ __forceinline__ void multiply_warpgroup<152>(float (&d)[19][4], u32 a0, u32 a1, u32 a2, u32 a3,
                                                        u64 b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n152k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
      "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, "
      "%74, %75}, "
      "{%76, %77, %78, %79}, %80, 1, 1, 1, 0;"
      : QUADPAIR_SUMS32(d, 0), QUADPAIR_SUMS32(d, 4), QUADPAIR_SUMS32(d, 8), QUADPAIR_SUMS32(d, 12),
        QUADPAIR_SUMS8(d, 16), QUADPAIR_SUMS8(d, 17), QUADPAIR_SUMS8(d, 18)
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b));
}

#undef QUADPAIR_SUMS32
#undef QUADPAIR_SUMS8

}  // namespace quadpair
