// FP8 weights as a lane reads them: w = h((e4m3 . 2^-8) . h(scale . 256)).
#pragma once

#include "kernels/qpn2/tile.cuh"

namespace quadpair::qpn8 {

/// Eight weights of one column: `even` holds the bytes of k 0, 2, 4, 6, `odd` of k 1, 3, 5, 7, `scale` is
/// h(scale . 256) twice. weights[i] becomes {w[2i], w[2i+1]}.
__device__ __forceinline__ void decode8(u32 even, u32 odd, u32 scale, u32* weights) {
  // A code s e e e e m m m is the FP16 number e4m3 . 2^-8 once s stands in bit 15 and the others in bits
  // 13..7. Preparation has refused NaN.
#ifdef QUADPAIR_DAMAGE_WRONG_SHIFT
  constexpr int shift = 2;
#else
  constexpr int shift = 1;
#endif
#pragma unroll
  for (u32 i = 0; i < 4; ++i) {
    const u32 both = permute_bytes(even, odd, 0x4400u + 0x1111u * i);  // each code in both bytes of its half
    weights[i] = mul_half2(select_bits(both, both >> shift, 0x80008000u) & 0xBF80BF80u, scale);
  }
}

/// Packed FP8 weights [tiles][K/16][32][16] with their FP16 scales.
template <bool Block>
struct Weights {
  const u8* codes;
  const u16* scales;  ///< [32 tiles], or [K/128][tiles]
  u32 tiles, k;

  /// What a lane holds of a group: 16 codes of one column, and their scale twice.
  struct Group {
    uint4 codes;
    u32 scale;

    /// The weights of run 0 or 1 of 8 k.
    __device__ __forceinline__ void decode(int run, u32* weights) const {
      decode8(run == 0 ? codes.x : codes.z, run == 0 ? codes.y : codes.w, scale, weights);
    }
  };

  /// Columns of one tile, at places `place`, + 8, + 16, ... of it.
  template <int Count>
  class Columns {
   public:
    __device__ __forceinline__ Columns(const Weights& weights, u32 tile, u32 place)
        : codes_(weights.codes + (static_cast<u64>(tile) * (weights.k / 16) * 32 + place) * 16),
          block_scales_(weights.scales + tile),
          tiles_(weights.tiles) {
      if constexpr (!Block) {
#pragma unroll
        for (int i = 0; i < Count; ++i)
          channel_scales_[i] =
              load_u16(weights.scales + tile * 32 + qpn2::column_of_lane(place + 8 * i)) * 0x10001u;
      }
    }

    /// A group of the i-th column.
    __device__ __forceinline__ Group load(u32 group, int i) const {
      const uint4 codes = load_once_v4(codes_ + static_cast<u64>(group) * 512 + i * 128);
      if constexpr (Block)
        return {codes, load_u16(block_scales_ + static_cast<u64>(group / 8) * tiles_) * 0x10001u};
      else
        return {codes, channel_scales_[i]};
    }

   private:
    const u8* codes_;
    const u16* block_scales_;
    u32 tiles_;
    u32 channel_scales_[Count];
  };
};

}  // namespace quadpair::qpn8
