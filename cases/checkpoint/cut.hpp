// Which part of a stored matrix is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quadpair::cases {

/// Rows that follow each other in a stored tensor.
struct RowRun {
  std::uint64_t first = 0, count = 0;
  friend bool operator==(const RowRun&, const RowRun&) = default;
};

/// Rows in the order wanted, and a range of k.
struct Cut {
  std::vector<RowRun> rows;
  std::uint64_t first_k = 0, k = 0;

  std::uint64_t row_count() const;

  /// The stored row of the cut's row `row`.
  std::uint64_t stored_row(std::uint64_t row) const;
};

/// All rows and all k.
Cut whole(std::uint64_t rows, std::uint64_t k);

/// The bytes of a cut of a row-major tensor: of each of its rows, `width` bytes from `first` on, out of
/// `stride`. Touches no others.
std::vector<std::uint8_t> copy_rows(std::span<const std::byte> tensor, std::span<const RowRun> rows,
                                    std::uint64_t stride, std::uint64_t first, std::uint64_t width);

}  // namespace quadpair::cases
