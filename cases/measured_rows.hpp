// Sums measured on a GPU's matrix instruction, as text files hold them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace quadpair::cases {

/// d = c + a . b: FP16 and FP32 bits; the products past the width are zero.
struct MeasuredRow {
  std::array<std::uint16_t, 16> a{}, b{};
  std::uint32_t c = 0, d = 0;
  friend bool operator==(const MeasuredRow&, const MeasuredRow&) = default;
};

struct MeasuredRows {
  std::size_t width = 0;  ///< products a row: 4, 8 or 16
  std::vector<MeasuredRow> rows;
};

/// Reads rows of columns a[n] b[n] c d in hex, four digits an FP16 and eight an FP32 number; the number of
/// columns of the first row, 10, 18 or 34, tells n. Lines that start with '#' are comments. Throws DataError
/// naming file, line, column (from 1) and value; for a file that cannot be read or has no rows, the file.
MeasuredRows read_measured_rows(const std::filesystem::path& file);

}  // namespace quadpair::cases
