// Pieces of HTML. Text becomes one only by being escaped.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace quadpair::reports::html {

struct Html {
  std::string markup;

  bool empty() const { return markup.empty(); }
  Html& operator+=(const Html& more) {
    markup += more.markup;
    return *this;
  }
  friend Html operator+(Html a, const Html& b) { return a += b; }
};

/// Text of a report.
Html text(std::string_view text);

/// The same as code that may break after each "/" and "+".
Html code(std::string_view text);

/// A shell command in a block of its own; empty for none.
Html command(std::string_view text);

/// A template with {{name}} replaced by the value of that name, and {{#name}}...{{/name}} by what is between
/// where that value is there and not empty, else by nothing. Sections do not nest under one name. Throws
/// std::logic_error for a name without a value outside a section of that name, and for a section without an
/// end.
std::string fill(std::string_view page, const std::map<std::string, Html, std::less<>>& values);

/// A table in a region that scrolls by itself, and by keyboard too.
class Table {
 public:
  enum class Column { words, number };
  struct Head {
    Html html;
    Column column = Column::words;
  };

  /// The caption names the table; the first column holds the rows' heads.
  Table(std::string caption, std::vector<Head> heads)
      : caption_(std::move(caption)), heads_(std::move(heads)) {}

  struct Cell {
    Html html;
    std::string_view status{};  ///< class of the cell, one of the program's own words
    std::string id{};           ///< of the row, in its first cell
  };
  /// Throws std::logic_error unless there is a cell for each head.
  void add(std::vector<Cell> row);

  bool empty() const { return rows_.markup.empty(); }
  Html html() const;

 private:
  std::string caption_;  ///< plain text
  std::vector<Head> heads_;
  Html rows_;
};

}  // namespace quadpair::reports::html
