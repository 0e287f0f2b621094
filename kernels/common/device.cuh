// The machine's instructions that the kernels use, by name. No CUDA header is needed, so a file compiles in
// a fraction of a second and no path of the build machine enters its line information.
#pragma once

namespace quadpair {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;

__device__ __forceinline__ u32 lane_id() {
  return threadIdx.x % 32;
}
__device__ __forceinline__ u32 warp_id() {
  return threadIdx.x / 32;
}

// FP16 numbers are kept as bits: one in a u16, two in a u32 (the first in the low half).

/// Two FP16 products, each rounded to nearest even.
__device__ __forceinline__ u32 mul_half2(u32 a, u32 b) {
  u32 d;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ u16 mul_half(u16 a, u16 b) {
  u16 d;
  asm("mul.rn.f16 %0, %1, %2;" : "=h"(d) : "h"(a), "h"(b));
  return d;
}

/// h(x): nearest even, NaN becomes 0x7FFF.
__device__ __forceinline__ u16 to_half(float x) {
  u16 d;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(d) : "f"(x));
  return d;
}

__device__ __forceinline__ float to_float(u16 x) {
  float d;
  asm("cvt.f32.f16 %0, %1;" : "=f"(d) : "h"(x));
  return d;
}

/// Bytes of {b, a} chosen by the four nibbles of `selector`; 0..3 are a's.
__device__ __forceinline__ u32 permute_bytes(u32 a, u32 b, u32 selector) {
  u32 d;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(selector));
  return d;
}

/// Bits of `a` where `mask` is 1, of `b` where it is 0.
__device__ __forceinline__ u32 select_bits(u32 a, u32 b, u32 mask) {
  u32 d;
  asm("lop3.b32 %0, %1, %2, %3, 0xE4;" : "=r"(d) : "r"(a), "r"(b), "r"(mask));
  return d;
}

// Loads of read-only buffers. Weights are read once: they do not displace activations from L1.

__device__ __forceinline__ uint2 load_once_v2(const void* address) {
  uint2 d;
  asm("ld.global.nc.L1::no_allocate.v2.u32 {%0, %1}, [%2];" : "=r"(d.x), "=r"(d.y) : "l"(address));
  return d;
}

__device__ __forceinline__ u32 load_once_u32(const void* address) {
  u32 d;
  asm("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(d) : "l"(address));
  return d;
}

__device__ __forceinline__ uint4 load_once_v4(const void* address) {
  uint4 d;
  asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(d.x), "=r"(d.y), "=r"(d.z), "=r"(d.w)
      : "l"(address));
  return d;
}

__device__ __forceinline__ u32 load_u8(const void* address) {
  u32 d;
  asm("ld.global.nc.u8 %0, [%1];" : "=r"(d) : "l"(address));
  return d;
}

__device__ __forceinline__ u32 load_u16(const void* address) {
  u32 d;
  asm("ld.global.nc.u16 %0, [%1];" : "=r"(d) : "l"(address));
  return d;
}

/// 16 bytes where `wanted`, else zeros without touching memory and without a branch.
__device__ __forceinline__ uint4 load_v4_if(bool wanted, const void* address) {
  uint4 d = make_uint4(0, 0, 0, 0);
  asm("{\n"
      ".reg .pred p;\n"
      "setp.ne.u32 p, %5, 0;\n"
      "@p ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];\n"
      "}"
      : "+r"(d.x), "+r"(d.y), "+r"(d.z), "+r"(d.w)
      : "l"(address), "r"(static_cast<u32>(wanted)));
  return d;
}

/// The same of what is read once.
__device__ __forceinline__ uint4 load_once_v4_if(bool wanted, const void* address) {
  uint4 d = make_uint4(0, 0, 0, 0);
  asm("{\n"
      ".reg .pred p;\n"
      "setp.ne.u32 p, %5, 0;\n"
      "@p ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];\n"
      "}"
      : "+r"(d.x), "+r"(d.y), "+r"(d.z), "+r"(d.w)
      : "l"(address), "r"(static_cast<u32>(wanted)));
  return d;
}

// Loads that stay in program order, before or after wait_for_previous_kernel() as they are written.

__device__ __forceinline__ uint4 stream_v4(const void* address) {
  uint4 d;
  asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(d.x), "=r"(d.y), "=r"(d.z), "=r"(d.w)
               : "l"(address)
               : "memory");
  return d;
}

__device__ __forceinline__ uint2 stream_v2(const void* address) {
  uint2 d;
  asm volatile("ld.global.L1::no_allocate.v2.u32 {%0, %1}, [%2];"
               : "=r"(d.x), "=r"(d.y)
               : "l"(address)
               : "memory");
  return d;
}

__device__ __forceinline__ u32 stream_u32(const void* address) {
  u32 d;
  asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(d) : "l"(address) : "memory");
  return d;
}

__device__ __forceinline__ u32 stream_u16(const void* address) {
  u32 d;
  asm volatile("ld.global.u16 %0, [%1];" : "=r"(d) : "l"(address) : "memory");
  return d;
}

__device__ __forceinline__ u32 stream_u8(const void* address) {
  u32 d;
  asm volatile("ld.global.u8 %0, [%1];" : "=r"(d) : "l"(address) : "memory");
  return d;
}

/// For what other warps read too: it stays in L1.
__device__ __forceinline__ uint4 stream_again_v4(const void* address) {
  uint4 d;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(d.x), "=r"(d.y), "=r"(d.z), "=r"(d.w)
               : "l"(address)
               : "memory");
  return d;
}

/// 16 bytes where `wanted`, else zeros without touching memory and without a branch.
__device__ __forceinline__ uint4 stream_again_v4_if(bool wanted, const void* address) {
  uint4 d = make_uint4(0, 0, 0, 0);
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.u32 p, %5, 0;\n"
      "@p ld.global.v4.u32 {%0, %1, %2, %3}, [%4];\n"
      "}"
      : "+r"(d.x), "+r"(d.y), "+r"(d.z), "+r"(d.w)
      : "l"(address), "r"(static_cast<u32>(wanted))
      : "memory");
  return d;
}

// Asynchronous copies into shared memory (from sm80).

#if __CUDA_ARCH__ >= 800
/// Starts to copy 16 bytes. `destination` is an address in shared memory.
__device__ __forceinline__ void copy_async_16(u32 destination, const void* source) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(destination), "l"(source) : "memory");
}

__device__ __forceinline__ void copy_async_8(u32 destination, const void* source) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" : : "r"(destination), "l"(source) : "memory");
}

__device__ __forceinline__ void copy_async_4(u32 destination, const void* source) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" : : "r"(destination), "l"(source) : "memory");
}

/// Starts to copy 16 bytes, or zeros without touching `source` unless `wanted`.
__device__ __forceinline__ void copy_async_16(u32 destination, const void* source, bool wanted) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(destination), "l"(source), "r"(wanted ? 16 : 0)
               : "memory");
}

/// What the thread has started since the last call is a group, which may be empty.
__device__ __forceinline__ void end_copy_group() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits until at most `Groups` of the thread's latest groups are not complete.
template <int Groups>
__device__ __forceinline__ void wait_for_copy_groups() {
  asm volatile("cp.async.wait_group %0;" : : "n"(Groups) : "memory");
}
#endif

/// Waits for `Threads` threads, whole warps, at barrier 1..15 (0 is __syncthreads').
template <int Threads>
__device__ __forceinline__ void synchronize(u32 barrier) {
  asm volatile("bar.sync %0, %1;" : : "r"(barrier), "n"(Threads) : "memory");
}

/// Counts for the threads that synchronize<Threads>() at the barrier, and goes on.
template <int Threads>
__device__ __forceinline__ void arrive(u32 barrier) {
  asm volatile("bar.arrive %0, %1;" : : "r"(barrier), "n"(Threads) : "memory");
}

// Programmatic dependent launch (from sm90; without it the next kernel starts when this one has ended).

/// The next kernel of the stream may start now; it waits itself for what it needs.
__device__ __forceinline__ void let_next_kernel_start() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Returns when the kernel before has ended and its writes are visible.
__device__ __forceinline__ void wait_for_previous_kernel() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Operands that do not matter, without an instruction that would set them.
__device__ __forceinline__ void leave_unspecified(u32 (&values)[2][4]) {
#pragma unroll
  for (int i = 0; i < 8; ++i) asm volatile("" : "=r"(values[i / 4][i % 4]));
}

// Matrix instructions, d += a . b with FP32 accumulators.

/// One 8x8x4 product per quad-pair.
__device__ __forceinline__ void mma_m8n8k4(float (&d)[8], u32 a0, u32 a1, u32 b0, u32 b1) {
  asm("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%0, %1, %2, %3, %4, %5, %6, %7};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
      : "r"(a0), "r"(a1), "r"(b0), "r"(b1));
}

/// sm_75 and later.
__device__ __forceinline__ void mma_m16n8k8(float (&d)[4], u32 a0, u32 a1, u32 b0) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a0), "r"(a1), "r"(b0));
}

__device__ __forceinline__ void mma_m16n8k16(float (&d)[4], u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

}  // namespace quadpair
