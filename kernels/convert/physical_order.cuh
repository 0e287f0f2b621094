// The order of codes or numbers inside a run of 8 k.
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

/// Eight bytes or FP16 numbers to the same order.
__device__ __forceinline__ uint2 physical_bytes(uint2 logical) {
#ifdef QUADPAIR_DAMAGE_NIBBLE_ORDER
  return logical;
#endif
  return make_uint2(permute_bytes(logical.x, logical.y, 0x6420), permute_bytes(logical.x, logical.y, 0x7531));
}

__device__ __forceinline__ uint4 physical_halves(uint4 logical) {
  return make_uint4(permute_bytes(logical.x, logical.y, 0x5410), permute_bytes(logical.z, logical.w, 0x5410),
                    permute_bytes(logical.x, logical.y, 0x7632), permute_bytes(logical.z, logical.w, 0x7632));
}

}  // namespace quadpair::convert
