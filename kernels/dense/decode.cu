// Weights by the QPN2 rule into FP16 rows. A warp decodes 64 k of a 32-column tile, each lane one column, and
// turns the piece in shared memory so that it writes 128 contiguous bytes of a row.
#include "kernels/qpn2/decode.cuh"
#include "kernels/qpn2/tile.cuh"
#include "kernels/wide/staged_rows.cuh"

namespace quadpair::dense {

/// Grid (tiles, k / 512), 8 warps. `w` is f16 [32 tiles][k]. `Shared`: codes in TurboMind's layout.
template <bool Shared>
__device__ __forceinline__ void decode(const u8* codes, const u8* scales, const u16* global_tiles, u16* w,
                                       u32 k, u16 global_value) {
  __shared__ __align__(16) u8 pieces[8][32 * wide::row_bytes];
  u8* const piece = pieces[warp_id()];
  const u32 lane = lane_id(), unit = blockIdx.y * 8 + warp_id();
  const bool present = unit < k / 64;
  const qpn2::Tile tile =
      qpn2::Weights{codes, scales, global_tiles, gridDim.x, k, global_value}.tile(blockIdx.x);
  if (present) {
    const u32 column = Shared ? lane : qpn2::column_of_lane(lane);
    const u8* source = tile.codes + static_cast<u64>(unit) * 1024 + lane * (Shared ? 4 : 8);
    const u8* bytes =
        tile.scales + static_cast<u64>(unit) * 128 + (Shared ? qpn2::lane_of_column(lane) : lane);
#pragma unroll
    for (int group = 0; group < 4; ++group) {
      const uint2 words =
          Shared ? make_uint2(load_once_u32(source), load_once_u32(source + 128)) : load_once_v2(source);
      const u32 scale = qpn2::block_scales(load_u8(bytes) * 0x10001u, tile.global);
      u32 weights[8];
      qpn2::decode8(words.x, scale, weights);
      qpn2::decode8(words.y, scale, weights + 4);
#pragma unroll
      for (int run = 0; run < 2; ++run)
        *reinterpret_cast<uint4*>(piece +
                                  wide::chunk_offset(column, wide::RowKey::of(column), 2 * group + run)) =
            make_uint4(weights[4 * run], weights[4 * run + 1], weights[4 * run + 2], weights[4 * run + 3]);
      source += 256;
      bytes += 32;
    }
  }
  __syncthreads();  // the columns of all lanes are there
  if (!present) return;
  u16* out = w + (static_cast<u64>(blockIdx.x) * 32 + lane / 8) * k + unit * 64 + lane % 8 * 8;
#pragma unroll
  for (u32 row = lane / 8; row < 32; row += 4) {
    *reinterpret_cast<uint4*>(out) =
        *reinterpret_cast<const uint4*>(piece + wide::chunk_offset(row, wide::RowKey::of(row), lane % 8));
    out += static_cast<u64>(4) * k;
  }
}

}  // namespace quadpair::dense

#define DENSE_DECODE(NAME, SHARED)                                                                   \
  extern "C" __global__ void __launch_bounds__(256)                                                  \
      NAME(const quadpair::u8* codes, const quadpair::u8* scales, const quadpair::u16* global_tiles, \
           quadpair::u16* w, quadpair::u32 k, quadpair::u16 global_value) {                          \
    quadpair::dense::decode<SHARED>(codes, scales, global_tiles, w, k, global_value);                \
  }

DENSE_DECODE(dense_decode_qpn2, false)
DENSE_DECODE(dense_decode_shared, true)
