// The shared memory of a wide kernel's thread block, which host and device compute alike. Free of headers, so
// that device code can include it.
#pragma once

namespace quadpair::wide {

/// k of one stage of the pipeline.
inline constexpr unsigned unit_k = 64;

/// Bytes of a row of a staged tile: 64 k in FP16.
inline constexpr unsigned row_bytes = unit_k * 2;

/// Bytes of the codes and scales of a unit and a 32-column tile: 1024 + 256, if the scales are FP16.
inline constexpr unsigned code_bytes_of_warp = 1280;

/// What a thread block computes and how. `dense`: weights are staged too, as FP16 rows.
struct BlockShape {
  unsigned rows = 0, columns = 0, slices = 0;
  bool dense = false;
  bool native = false;  ///< m16n8k16, else m8n8k4

  /// Bytes of one slice's part of a stage: a tile of x, then the weights where they are staged.
  constexpr unsigned slice_bytes() const {
    const unsigned weights = dense ? columns * row_bytes : native ? columns / 32 * code_bytes_of_warp : 0;
    return rows * row_bytes + weights;
  }
  constexpr unsigned stage_bytes() const { return slices * slice_bytes(); }

  /// Stages of the pipeline: two where registers carry the next one, else up to four.
  constexpr unsigned stages() const {
    if (!native) return 2;
    if (dense) return 3;
    const unsigned fit = 144 * 1024 / stage_bytes();
    return fit < 2 ? 2 : fit > 4 ? 4 : fit;
  }

  /// Floats from one row of a slice's sums to the next: a multiple of 4, with neighbouring rows in other
  /// banks.
  constexpr unsigned sum_leading() const { return columns + 4; }

  /// Bytes of the block: the stages, then in the same place the sums f32 [slices][rows][sum_leading()].
  constexpr unsigned bytes() const {
    const unsigned staged = stages() * stage_bytes();
    const unsigned sums = slices > 1 ? slices * rows * sum_leading() * 4 : 0;
    return staged > sums ? staged : sums;
  }
};

/// What a thread block computes with wgmma: consumers, a warpgroup each, and one more that stages rows.
struct WarpgroupShape {
  unsigned rows = 0, columns = 0;

  static constexpr unsigned stages = 4;
  static constexpr unsigned producers = 128;  ///< threads

  /// Columns of a warp: 32 where the block is wide, so that fewer warps hold its sums.
  constexpr unsigned warp_columns() const { return columns == 256 ? 32 : 16; }
  constexpr unsigned consumers() const { return columns / warp_columns() * 32; }  ///< threads
  constexpr unsigned threads() const { return consumers() + producers; }
  constexpr unsigned stage_bytes() const { return rows * row_bytes; }
  constexpr unsigned bytes() const { return stages * stage_bytes(); }
};

}  // namespace quadpair::wide
