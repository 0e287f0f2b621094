#include "reports/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace quadpair::reports {
namespace {

std::vector<Rows> columns_of(const Collection& collection, std::size_t most) {
  std::set<std::uint32_t> seen;
  for (const auto& [file, report] : collection.runs)
    for (const CaseRecord& record : report.cases) seen.insert(record.shape.m);
  const std::vector<std::uint32_t> values(seen.begin(), seen.end());
  const std::size_t columns = std::min(values.size(), most);
  std::vector<Rows> result;
  for (std::size_t i = 0; i < columns; ++i)
    result.push_back({values[i * values.size() / columns], values[(i + 1) * values.size() / columns - 1]});
  return result;
}

std::size_t column_of(const std::vector<Rows>& columns, std::uint32_t m) {
  const auto found = std::ranges::lower_bound(columns, m, {}, &Rows::last);
  return static_cast<std::size_t>(found - columns.begin());
}

void add(MatrixCell& cell, const CaseRecord& record) {
  const bool had = cell.worst != nullptr;
  const Status before = worst(cell.summary);
  count(cell.summary, record.status);
  cell.cases.push_back(&record);
  if (!had || worst(cell.summary) != before) cell.worst = &record;
}

}  // namespace

std::string to_string(const Rows& rows) {
  if (rows.last == 0) return "–";
  return rows.first == rows.last ? std::to_string(rows.first) : fmt::format("{}–{}", rows.first, rows.last);
}

std::string to_string(const MatrixKey& key) {
  return fmt::format("{} {}/{}", key.operation, key.target, key.model);
}

Matrix matrix_of(const Collection& collection, std::size_t most_columns) {
  Matrix matrix{columns_of(collection, most_columns), {}};
  std::map<MatrixKey, std::size_t> places;
  for (const auto& [file, report] : collection.runs) {
    matrix.one_device =
        matrix.one_device && report.run.device.name == collection.runs.front().value.run.device.name;
    for (const CaseRecord& record : report.cases) {
      const MatrixKey key{record.operation, record.target, record.model, report.run.device.name};
      const auto [place, is_new] = places.emplace(key, matrix.rows.size());
      if (is_new) matrix.rows.push_back({key, {}});
      add(matrix.rows[place->second].cells[column_of(matrix.columns, record.shape.m)], record);
    }
  }
  return matrix;
}

}  // namespace quadpair::reports
