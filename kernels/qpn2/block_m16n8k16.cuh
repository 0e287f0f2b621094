// One thread block of the native kernels with m16n8k16: A = 16 output features, B = 8 activation rows. A warp
// sums one k-slice of all columns of the block. Columns come in quarters of a tile (8 places of the QPN2 lane
// order; with TurboMind's codes 8 columns in their own order, a sector of each run), so that the columns can
// be shared out evenly over the multiprocessors. Lane (r, t) of a warp (r = lane / 4, t = lane % 4) decodes
// whole groups: group 4u + t of a unit of 64 k. One scale decode serves 16 weights, nothing is shuffled, and
// every load is coalesced.
#pragma once

#include "kernels/qpn2/decode.cuh"
#include "kernels/qpn2/pieces_m16n8k16.cuh"
#include "kernels/qpn2/slice_sums_m16n8k16.cuh"
#include "kernels/qpn2/tile.cuh"

namespace quadpair::qpn2 {

/// Quarters [blockIdx.x Quarters, + Quarters) of each of the matrices, `Slices` warps, 8 RowBlocks rows;
/// weights are decoded once for all rows. `Shared`: codes in TurboMind's layout.
template <int Matrices, int Quarters, int Slices, int Chains, int RowBlocks, bool Shared>
class Block {
 public:
  using Sums = SliceSums<Matrices, Quarters, Slices, RowBlocks, Shared>;

  /// Sums the warp's k-slice: units [slice U/Slices, (slice + 1) U/Slices), U = k/64. Step j of a unit, on
  /// k 4j..4j+3 of each of its four groups, extends chain j mod Chains.
  __device__ __forceinline__ void accumulate(const Weights& weights, const Rows& rows) {
    const u32 units = weights.k / 64;
    const u32 first = warp_id() * units / Slices;
    const u32 count = (warp_id() + 1) * units / Slices - first;
    // Weights are constant, activations may be what the kernel before is writing.
#pragma unroll
    for (int piece = 0; piece < pieces; piece += Pieces::loaded_with(piece)) {
      locate(weights, first, piece);
      if (count > 0) load_weights(piece);
    }
    wait_for_previous_kernel();
    if (count == 0) return;
    locate_tokens(rows, first);
    if constexpr (early_tokens) {
      load_tokens(tokens_[0], rows);
      u32 unit = 1;
#pragma unroll 1
      for (; unit + 1 < count; unit += 2) add_unit<true, 0>(rows), add_unit<true, 1>(rows);
      if (unit < count)
        add_unit<true, 0>(rows), add_unit<false, 1>(rows);
      else
        add_unit<false, 0>(rows);
    } else {
#pragma unroll 1
      for (u32 unit = 1; unit < count; ++unit) add_unit<true, 0>(rows);
      add_unit<false, 0>(rows);
    }
  }

  /// Writes chain 0 + chain 1 of the warp's slice to `partial`, f32 [Slices][8 RowBlocks][Sums::row_floats].
  __device__ __forceinline__ void store(float* partial) const {
    const u32 t = lane_id() % 4;
#pragma unroll
    for (int block = 0; block < RowBlocks; ++block)
#pragma unroll
      for (int piece = 0; piece < pieces; piece += Pieces::loaded_with(piece))
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          const float first = sum_of(piece, block, i), second = sum_of(piece, block, 2 + i);
          float* row = partial + Sums::partial_index(warp_id(), 8 * block + 2 * t + i);
          const auto place = Pieces::lane_place(piece);
          row += place.matrix * Sums::columns + 8 * place.quarter + place.offset;
          if (Pieces::are_two_pairs(piece)) {
            *reinterpret_cast<float4*>(row) = {first, second, sum_of(piece + 1, block, i),
                                               sum_of(piece + 1, block, 2 + i)};
          } else if (Pieces::has_neighbours(piece)) {
            *reinterpret_cast<float2*>(row) = {first, second};
          } else {
            row[0] = first;
            if (Pieces::has_column_of_each(piece)) row[Sums::columns] = second;
          }
        }
  }

 private:
  using Pieces = qpn2::Pieces<Matrices, Quarters, Slices, RowBlocks, Shared>;
  static constexpr int pieces = Pieces::count;

  /// Whether the next unit's activations are asked for early: where few rows or few warps leave the
  /// registers.
  static constexpr bool early_tokens = RowBlocks == 1 || (Matrices == 1 && RowBlocks * Slices <= 16);

  /// Rows past the last read the last again: a column of the product is one row's own, and theirs go nowhere.
  /// Zeros instead would be made anew for every load, but need no register where there is none to spare.
  static constexpr bool repeats_last_row = Matrices == 1 && RowBlocks * Slices < 64;

  __device__ __forceinline__ float sum_of(int piece, int block, int i) const {
    const float sum = sums_[0][piece][block][i];
    return Chains == 1 ? sum : __fadd_rn(sum, sums_[Chains - 1][piece][block][i]);
  }

  /// Sets the addresses of the lane's first group in what is loaded with a piece.
  __device__ __forceinline__ void locate(const Weights& weights, u32 first_unit, int piece) {
    const u32 group = first_unit * 4 + lane_id() % 4;
#ifdef QUADPAIR_DAMAGE_SWAPPED_SCALES
    const u32 scale_group = group ^ 1;
#else
    const u32 scale_group = group;
#endif
    const auto place = Pieces::lane_place(piece);
    u32 quarter = blockIdx.x * Quarters + place.quarter;
    if (quarter >= 4 * weights.tiles) quarter = 0;  // past the end: any weights do, nothing is written
    const u32 tile = quarter / 4 + place.matrix * weights.tiles;
    const u32 place_in_tile = quarter % 4 * 8 + place.offset;
    const Tile at = weights.tile(tile);
    codes_[piece] = at.codes + static_cast<u64>(group) * 256 + place_in_tile * (Shared ? 4 : 8);
    scales_[piece] = at.scales + static_cast<u64>(scale_group) * 32 +
                     (Shared ? lane_of_column(place_in_tile) : place_in_tile);
    globals_[piece] = at.global;
    if (Pieces::has_column_of_each(piece)) {
      second_matrix_ = static_cast<u64>(weights.tiles) * (weights.k / 16) * 32;
      globals_[piece] = permute_bytes(at.global, weights.tile(tile + weights.tiles).global, 0x5410);
    }
  }

  /// The two runs of one column's group.
  static __device__ __forceinline__ uint2 load_column(const u8* codes) {
    return Shared ? make_uint2(stream_u32(codes), stream_u32(codes + 128)) : stream_v2(codes);
  }

  /// Asks for a unit of the piece, and of the next one where that is loaded with it.
  __device__ __forceinline__ void load_weights(int piece) {
    if (Pieces::are_two_pairs(piece)) {
      load_scales(piece);
      load_run(piece, 0);
      load_run(piece, 1);
      return;
    }
    if (Pieces::has_neighbours(piece)) {
      if constexpr (Shared) {
        const uint2 low = stream_v2(codes_[piece]), high = stream_v2(codes_[piece] + 128);
        packed_[piece] = make_uint4(low.x, high.x, low.y, high.y);
      } else {
        packed_[piece] = stream_v4(codes_[piece]);
      }
      packed_scales_[piece] = stream_u16(scales_[piece]);
    } else {
      const uint2 codes = load_column(codes_[piece]);
      packed_[piece].x = codes.x, packed_[piece].y = codes.y;
      packed_scales_[piece] = stream_u8(scales_[piece]);
      if (Pieces::has_column_of_each(piece)) {
        const uint2 second = load_column(codes_[piece] + second_matrix_ * 8);
        packed_[piece].z = second.x, packed_[piece].w = second.y;
        second_scale_ = stream_u8(scales_[piece] + second_matrix_);
      }
    }
    codes_[piece] += 1024;
    scales_[piece] += 128;
  }

  __device__ __forceinline__ void locate_tokens(const Rows& rows, u32 first_unit) {
    const u32 r = lane_id() / 4, t = lane_id() % 4;
    x_ = rows.x + (first_unit * 4 + t) * 16;
    if constexpr (repeats_last_row)
#pragma unroll
      for (int block = 0; block < RowBlocks; ++block)
        row_offsets_[block] = min(r + 8 * block, rows.count - 1) * rows.leading;
    else
      x_ += static_cast<u64>(r) * rows.leading;
  }

  /// tokens[b][run]: k 8 run..8 run + 7 of the lane's group in its activation row of block b.
  __device__ __forceinline__ void load_tokens(uint4 (&tokens)[RowBlocks][2], const Rows& rows) {
    const u32 r = lane_id() / 4;
#pragma unroll
    for (int block = 0; block < RowBlocks; ++block)
#pragma unroll
      for (int run = 0; run < 2; ++run)
        if constexpr (repeats_last_row)
          tokens[block][run] = stream_again_v4(x_ + row_offsets_[block] + 8 * run);
        else
          tokens[block][run] = stream_again_v4_if(r + 8 * block < rows.count,
                                                  x_ + static_cast<u64>(8 * block) * rows.leading + 8 * run);
    x_ += 64;
  }

  /// Adds the loaded unit, whose tokens lie in tokens_[Slot], and asks for the next one's weights as soon as
  /// their registers are free.
  template <bool More, int Slot>
  __device__ __forceinline__ void add_unit(const Rows& rows) {
    if constexpr (!early_tokens)
      load_tokens(tokens_[0], rows);
    else if constexpr (More)
      load_tokens(tokens_[1 - Slot], rows);
#pragma unroll
    for (int piece = 0; piece < pieces; piece += Pieces::loaded_with(piece))
      Pieces::are_two_pairs(piece) ? add_pairs<More, Slot>(piece) : add_piece<More, Slot>(piece);
  }

  template <bool More, int Slot>
  __device__ __forceinline__ void add_piece(int piece) {
    const Scales scales =
        scales_of(Pieces::has_column_of_each(piece) ? packed_scales_[piece] | second_scale_ << 16
                                                    : two_bytes(packed_scales_[piece], 0),
                  globals_[piece]);
    u32 even[2][4], odd[2][4];                                  // [run]: the lane's two columns
    if (Pieces::has_one_column(piece)) leave_unspecified(odd);  // sums of rows 8..15 that nobody reads
#pragma unroll
    for (int run = 0; run < 2; ++run) {
      const uint4 codes = packed_[piece];
      decode8(run == 0 ? codes.x : codes.y, scales.even, even[run]);
      if (!Pieces::has_one_column(piece)) decode8(run == 0 ? codes.z : codes.w, scales.odd, odd[run]);
    }
    if constexpr (More) load_weights(piece);
#pragma unroll
    for (int run = 0; run < 2; ++run) multiply<Slot>(piece, run, even[run], odd[run]);
  }

  /// The same of two pairs loaded together, run by run.
  template <bool More, int Slot>
  __device__ __forceinline__ void add_pairs(int piece) {
    const Scales scales[2] = {scales_of(two_bytes(packed_scales_[piece], 0), globals_[piece]),
                              scales_of(two_bytes(packed_scales_[piece], 1), globals_[piece])};
    if constexpr (More) load_scales(piece);
#pragma unroll
    for (int run = 0; run < 2; ++run) {
      const uint4 codes = packed_[piece + run];
      u32 even[2][4], odd[2][4];  // [pair]
      decode8(codes.x, scales[0].even, even[0]);
      decode8(codes.y, scales[0].odd, odd[0]);
      decode8(codes.z, scales[1].even, even[1]);
      decode8(codes.w, scales[1].odd, odd[1]);
      if constexpr (More) load_run(piece, run);
#pragma unroll
      for (int pair = 0; pair < 2; ++pair) multiply<Slot>(piece + pair, run, even[pair], odd[pair]);
    }
  }

  __device__ __forceinline__ void load_scales(int piece) {
    packed_scales_[piece] = stream_u32(scales_[piece]);
    scales_[piece] += 128;
  }
  __device__ __forceinline__ void load_run(int piece, int run) {
    packed_[piece + run] = stream_v4(codes_[piece] + 128 * run);
    if (run == 1) codes_[piece] += 1024;
  }

  /// Of the lane's two columns, each twice.
  struct Scales {
    u32 even, odd;
  };
  /// `bytes` as block_scales() takes them.
  static __device__ __forceinline__ Scales scales_of(u32 bytes, u32 global) {
    const u32 scales = block_scales(bytes, global);
    return {permute_bytes(scales, 0, 0x1010), permute_bytes(scales, 0, 0x3232)};
  }
  /// Bytes 0 and 1, or 2 and 3, in bits 0..7 and 16..23.
  static __device__ __forceinline__ u32 two_bytes(u32 packed, int pair) {
    return permute_bytes(packed, 0, pair == 0 ? 0x4140 : 0x4342);
  }

  /// Adds the products of 8 k of each of the quad's lanes.
  template <int Slot>
  __device__ __forceinline__ void multiply(int piece, int run, const u32 (&even)[4], const u32 (&odd)[4]) {
#pragma unroll
    for (int block = 0; block < RowBlocks; ++block) {
      const uint4 b = tokens_[Slot][block][run];
      mma_m16n8k16(sums_[0][piece][block], even[0], odd[0], even[1], odd[1], b.x, b.y);
      mma_m16n8k16(sums_[1 % Chains][piece][block], even[2], odd[2], even[3], odd[3], b.z, b.w);
    }
  }

  const u8* codes_[pieces];
  const u8* scales_[pieces];
  u32 globals_[pieces];         ///< FP16 G of the lane's two columns
  const u16* x_;                ///< the lane's group, in row 0 or, without repeats_last_row, its first row
  u32 row_offsets_[RowBlocks];  ///< with repeats_last_row: the lane's row of each block, elements
  /// Codes: .x .y the first column's two runs, .z .w the second's; of two pairs [run]: its four columns.
  uint4 packed_[pieces];
  u32 packed_scales_[pieces];  ///< a byte a column
  u32 second_scale_;           ///< of the second matrix's left-over quarter
  u64 second_matrix_;          ///< where its scales begin
  uint4 tokens_[early_tokens ? 2 : 1][RowBlocks][2];
  float sums_[Chains][pieces][RowBlocks][4] = {};
};

}  // namespace quadpair::qpn2
