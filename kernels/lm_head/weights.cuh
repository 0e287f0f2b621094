// FP16 weights as a lane reads them from the packed head.
#pragma once

#include "kernels/common/device.cuh"

namespace quadpair::lm_head {

/// Packed FP16 weights [tiles][K/16][32][16], for qpn8's product.
struct Weights {
  const u8* packed;
  u32 tiles, k;

  /// What a lane holds of a group: 16 numbers of one column.
  struct Group {
    uint4 runs[2];

    /// The weights of a run of 8 k: weights[i] becomes {w[2i], w[2i+1]}.
    __device__ __forceinline__ void decode(int run, u32* weights) const {
      weights[0] = permute_bytes(runs[run].x, runs[run].z, 0x5410);
      weights[1] = permute_bytes(runs[run].x, runs[run].z, 0x7632);
      weights[2] = permute_bytes(runs[run].y, runs[run].w, 0x5410);
      weights[3] = permute_bytes(runs[run].y, runs[run].w, 0x7632);
    }
  };

  /// Columns of one tile, at places `place`, + 8, + 16, ... of it.
  template <int Count>
  class Columns {
   public:
    __device__ __forceinline__ Columns(const Weights& weights, u32 tile, u32 place)
        : packed_(weights.packed + (static_cast<u64>(tile) * (weights.k / 16) * 32 + place) * 32) {}

    /// A group of the i-th column.
    __device__ __forceinline__ Group load(u32 group, int i) const {
      const u8* address = packed_ + static_cast<u64>(group) * 1024 + i * 256;
      return {{load_once_v4(address), load_once_v4(address + 16)}};
    }

   private:
    const u8* packed_;
  };
};

}  // namespace quadpair::lm_head
