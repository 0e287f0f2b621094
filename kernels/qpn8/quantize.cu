// qpn8_quantize: a warp takes a row, twice: for its largest magnitude, then for its codes.
#include "kernels/common/device.cuh"

namespace quadpair::qpn8 {

/// E4M3FN of x, nearest even; |x| <= 448.
__device__ __forceinline__ u32 to_e4m3(float x) {
  const float magnitude = fabsf(x);
  const u32 sign = __float_as_uint(x) >> 24 & 0x80;
  // Below 2^-6 a code counts multiples of 2^-9, the unit in the last place of numbers from 2^14.
  if (magnitude < 0x1p-6f) return sign | (__float_as_uint(__fadd_rn(magnitude, 0x1p14f)) & 0x7F);
  const u32 bits = __float_as_uint(magnitude);
#ifdef QUADPAIR_DAMAGE_CUT_CODES
  const u32 rounded = bits;
#else
  const u32 rounded = bits + 0x7FFFF + (bits >> 20 & 1);  // a carry moves into the exponent
#endif
  return sign | ((rounded >> 20) - ((127 - 7) << 3));
}

/// The larger of the two FP16 magnitudes of a word.
__device__ __forceinline__ u32 larger_magnitude(u32 word) {
  return max(word & 0x7FFF, word >> 16 & 0x7FFF);
}

/// Codes of the two FP16 numbers of a word, in 16 bits.
__device__ __forceinline__ u32 two_codes(u32 word, float scale) {
  u32 codes = 0;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const float x = __fdiv_rn(to_float(static_cast<u16>(word >> (16 * i))), scale);
    codes |= to_e4m3(fminf(fmaxf(x, -448.0f), 448.0f)) << (8 * i);
  }
  return codes;
}

}  // namespace quadpair::qpn8

/// Grid n / 8, 8 warps. w is f16 [n, k], codes u8 [n, k], scales f32 [n].
extern "C" __global__ void __launch_bounds__(256)
    qpn8_quantize(const quadpair::u16* w, quadpair::u8* codes, float* scales, quadpair::u32 n,
                  quadpair::u32 k) {
  using namespace quadpair;
  const u32 row = blockIdx.x * 8 + warp_id();
  if (row >= n) return;
  const u16* source = w + static_cast<u64>(row) * k;
  u32 largest = 0;  // FP16 magnitudes are ordered as their bits
  for (u32 i = lane_id() * 8; i < k; i += 256) {
    const uint4 words = load_v4_if(true, source + i);
    largest = max(largest, max(max(qpn8::larger_magnitude(words.x), qpn8::larger_magnitude(words.y)),
                               max(qpn8::larger_magnitude(words.z), qpn8::larger_magnitude(words.w))));
  }
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    largest = max(largest, __shfl_xor_sync(0xFFFFFFFFu, largest, distance));
  const float scale = fmaxf(__fdiv_rn(to_float(static_cast<u16>(largest)), 448.0f), 0x1p-126f);
  if (lane_id() == 0) scales[row] = scale;
  for (u32 i = lane_id() * 8; i < k; i += 256) {
    const uint4 words = load_v4_if(true, source + i);
    const uint2 eight = {qpn8::two_codes(words.x, scale) | qpn8::two_codes(words.y, scale) << 16,
                         qpn8::two_codes(words.z, scale) | qpn8::two_codes(words.w, scale) << 16};
    *reinterpret_cast<uint2*>(codes + static_cast<u64>(row) * k + i) = eight;
  }
}
