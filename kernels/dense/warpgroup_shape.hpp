// The thread block of a dense product by warpgroups, which host and device compute alike. Free of headers, so
// that device code can include it.
#pragma once

#include "kernels/wide/shared_memory.hpp"

namespace quadpair::dense {

/// Consumers, a warpgroup for every 64 or 128 rows, and one warpgroup more that stages rows of x and of the
/// weights.
struct WarpgroupShape {
  unsigned rows = 0, columns = 0;

  static constexpr unsigned producers = 128;  ///< threads

  /// Blocks of 64 rows of a consuming warpgroup.
  constexpr unsigned blocks() const { return rows == 256 ? 2 : 1; }
  constexpr unsigned consumers() const { return rows / 64 / blocks() * 128; }  ///< threads
  constexpr unsigned threads() const { return consumers() + producers; }

  /// Bytes of a stage: rows of x, then of the weights, 64 k of each.
  constexpr unsigned stage_bytes() const { return (rows + columns) * wide::row_bytes; }
  /// As many as a block's 227 KiB of shared memory hold.
  constexpr unsigned stages() const { return 227 * 1024 / stage_bytes(); }
  constexpr unsigned bytes() const { return stages() * stage_bytes(); }
};

}  // namespace quadpair::dense
