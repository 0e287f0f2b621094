#include "reports/markdown_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text.hpp"

namespace quadpair::reports {
namespace {

constexpr std::size_t room_for_rest = 64;  ///< for the line on rows left out

std::string line(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

/// As many backticks as no run of the text has.
std::string fence_around(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

}  // namespace

std::string markdown_text(std::string_view text) {
  std::string out;
  for (const char c : readable(text)) {
    if (c == '\n' || c == '\r' || c == '\t') {
      out += ' ';
      continue;
    }
    if (std::string_view("\\`*_{}[]()<>#+!|~&$").find(c) != std::string_view::npos) out += '\\';
    out += c;
    if (c == '@') out += "\u2060";  // a word joiner, seen by nobody but the search for names
  }
  return out;
}

std::string markdown_code(std::string_view text, std::size_t most) {
  if (text.empty()) return "";
  std::string inside;
  for (const char c : shortened(readable(text), most)) {
    if (c == '|') inside += '\\';  // a table is cut into cells before anything else
    inside += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }
  const std::string fence = fence_around(inside);
  const char* space = inside.front() == '`' || inside.back() == '`' ? " " : "";
  return fmt::format("{0}{1}{2}{1}{0}", fence, space, inside);
}

std::string markdown(const MarkdownTable& table, std::size_t limit, std::string_view noun) {
  std::vector<std::string> heads, rules;
  for (const std::string& head : table.heads) {
    const bool right = head.starts_with('>');
    heads.push_back(right ? head.substr(1) : head);
    rules.emplace_back(right ? "--:" : ":--");
  }
  std::string text = line(heads) + line(rules);
  std::size_t shown = 0;
  for (; shown < table.rows; ++shown) {
    const std::string next = line(table.row(shown));
    if (text.size() + next.size() + room_for_rest > limit) break;
    text += next;
  }
  if (shown < table.rows) text += fmt::format("\n{} not shown here.\n", counted(table.rows - shown, noun));
  return text;
}

}  // namespace quadpair::reports
