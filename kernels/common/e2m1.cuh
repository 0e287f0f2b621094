// E2M1 codes as FP16 numbers.
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair {

/// `codes` holds the physical nibbles of 8 consecutive k of one column. numbers[i] becomes e2m1 . 2^-14 of k
/// 2i and 2i + 1: nibbles i and i + 4.
__device__ __forceinline__ void place8(u32 codes, u32* numbers) {
  // A code s e e m is the FP16 number e2m1 . 2^-14 once s stands in bit 15 and e e m in bits 11..9. Both
  // nibbles of every byte are spread at once; the shifts by 8 then bring the low bytes into place.
#ifdef QUADPAIR_DAMAGE_WRONG_SHIFT
  const u32 odd = select_bits(codes, codes >> 2, 0x80808080u);
#else
  const u32 odd = select_bits(codes, codes >> 3, 0x80808080u);
#endif
  const u32 even = select_bits(codes << 4, codes << 1, 0x80808080u);
  constexpr u32 number = 0x8E008E00u;
  numbers[0] = (even << 8) & number;
  numbers[1] = (odd << 8) & number;
  numbers[2] = even & number;
  numbers[3] = odd & number;
}

}  // namespace quadpair
