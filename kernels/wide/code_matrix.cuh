// The packed weights of a wide product.
#pragma once

#include "kernels/common/device.cuh"
#include "kernels/common/global_parts.cuh"

namespace quadpair::wide {

/// Compact scales are u8 [tiles][K/16][32 lanes], restored with the parts' g; persistent ones f16
/// [K/16][32 tiles].
struct CodeMatrix {
  const u32* codes;  ///< [tiles][K/8][32]
  const u8* scales;
  GlobalParts globals;
};

}  // namespace quadpair::wide
