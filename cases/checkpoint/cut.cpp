#include "cases/checkpoint/cut.hpp"

#include <cstring>

namespace quadpair::cases {

std::uint64_t Cut::row_count() const {
  std::uint64_t count = 0;
  for (const RowRun& run : rows) count += run.count;
  return count;
}

std::uint64_t Cut::stored_row(std::uint64_t row) const {
  for (const RowRun& run : rows) {
    if (row < run.count) return run.first + row;
    row -= run.count;
  }
  return row;
}

Cut whole(std::uint64_t rows, std::uint64_t k) {
  return {{{0, rows}}, 0, k};
}

std::vector<std::uint8_t> copy_rows(std::span<const std::byte> tensor, std::span<const RowRun> rows,
                                    std::uint64_t stride, std::uint64_t first, std::uint64_t width) {
  std::uint64_t count = 0;
  for (const RowRun& run : rows) count += run.count;
  std::vector<std::uint8_t> bytes(count * width);
  if (bytes.empty()) return bytes;
  std::uint8_t* to = bytes.data();
  for (const RowRun& run : rows)
    for (std::uint64_t row = run.first; row < run.first + run.count; ++row, to += width)
      std::memcpy(to, tensor.subspan(row * stride + first, width).data(), width);
  return bytes;
}

}  // namespace quadpair::cases
