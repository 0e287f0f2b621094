// The order of codes inside a run of 8 k.
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair::convert {

/// Eight logical nibbles to physical order: logical 0, 2, 4, 6, then 1, 3, 5, 7.
__device__ __forceinline__ u32 physical_order(u32 logical) {
#ifdef QUADPAIR_DAMAGE_NIBBLE_ORDER
  return logical;
#endif
  u32 even = logical & 0x0F0F0F0Fu, odd = (logical >> 4) & 0x0F0F0F0Fu;
  even |= even >> 4;
  odd |= odd >> 4;
  return permute_bytes(even, odd, 0x6420);
}

}  // namespace quadpair::convert
