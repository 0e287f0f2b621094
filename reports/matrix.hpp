// The correctness matrix: cases by operator, target, model and device, and by rows M.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/collection.hpp"

namespace quadpair::reports {

/// One value of M, or several next to each other where a report has many.
struct Rows {
  std::uint32_t first = 0, last = 0;
};

/// "8", "1–8", "–" for cases without rows.
std::string to_string(const Rows& rows);

struct MatrixCell {
  Summary summary;
  const CaseRecord* worst = nullptr;  ///< the first case of the worst status
  std::vector<const CaseRecord*> cases;
};

/// What the cases of a row have in common.
struct MatrixKey {
  std::string operation, target, model, device;
  friend auto operator<=>(const MatrixKey&, const MatrixKey&) = default;
};

/// "qpn2_gemm sm70/volta".
std::string to_string(const MatrixKey& key);

struct MatrixRow {
  MatrixKey key;
  std::map<std::size_t, MatrixCell> cells;  ///< by column
};

/// Refers to the collection's cases.
struct Matrix {
  std::vector<Rows> columns;    ///< ascending
  std::vector<MatrixRow> rows;  ///< in the order in which they first occur
  bool one_device = true;
};

/// With at most `most_columns`, at least 1.
Matrix matrix_of(const Collection& collection, std::size_t most_columns);

}  // namespace quadpair::reports
