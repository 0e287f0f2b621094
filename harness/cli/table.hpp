// Aligned columns of text.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/style.hpp"

namespace quadpair::cli {

class Table {
 public:
  struct Cell {
    std::string text;
    Tint tint = Tint::plain;
  };

  /// Columns from `first_number` on are aligned to the right.
  Table(std::vector<std::string> heads, std::size_t first_number);

  /// Throws std::invalid_argument unless there is a cell for each column.
  void add(std::vector<Cell> row);

  std::size_t rows() const { return rows_.size() - 1; }  ///< without the heads

  std::string text(const Style& style) const;

 private:
  std::size_t first_number_;
  std::vector<std::vector<Cell>> rows_;  ///< the heads first
};

}  // namespace quadpair::cli
