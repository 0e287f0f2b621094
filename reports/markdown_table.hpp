// Tables of GitHub's Markdown that keep to a number of bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace quadpair::reports {

/// Text of a report as it is, outside code: no markup, no mention of a user.
std::string markdown_text(std::string_view text);

/// A code span for a table's cell, in one line, cut after `most` bytes of text. Empty for empty text.
std::string markdown_code(std::string_view text, std::size_t most = 240);

struct MarkdownTable {
  std::vector<std::string> heads;  ///< those that begin with '>' are of columns aligned to the right
  std::size_t rows = 0;
  std::function<std::vector<std::string>(std::size_t)> row;
};

/// The first rows that fit into `limit` bytes, then a line saying how many are left out, if any: "5 cases not
/// shown here." for the noun "case". At least head and that line, whatever the limit.
std::string markdown(const MarkdownTable& table, std::size_t limit, std::string_view noun);

}  // namespace quadpair::reports
