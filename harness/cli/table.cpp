#include "harness/cli/table.hpp"

#include <algorithm>
#include <stdexcept>

namespace quadpair::cli {

Table::Table(std::vector<std::string> heads, std::size_t first_number) : first_number_(first_number) {
  std::vector<Cell> row;
  row.reserve(heads.size());
  for (std::string& head : heads) row.push_back({std::move(head), Tint::bold});
  rows_.push_back(std::move(row));
}

void Table::add(std::vector<Cell> row) {
  if (row.size() != rows_[0].size()) throw std::invalid_argument("a row has another number of cells");
  rows_.push_back(std::move(row));
}

std::string Table::text(const Style& style) const {
  std::vector<std::size_t> widths(rows_[0].size());
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].text.size());
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - row[i].text.size(), ' ');
      const std::string cell = style(row[i].tint, row[i].text);
      line += (i > 0 ? "  " : "") + (i < first_number_ ? cell + gap : gap + cell);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

}  // namespace quadpair::cli
