#include "reports/html/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "reports/text.hpp"

namespace quadpair::reports::html {
namespace {

/// Markup of about a line: narrower columns than that would be hard to read.
constexpr std::size_t long_markup = 60;

const char* class_of(Table::Column column, const Html& html) {
  if (column == Table::Column::number) return " class=\"number\"";
  return html.markup.size() > long_markup ? " class=\"long\"" : "";
}

}  // namespace

Html text(std::string_view text) {
  return {escaped(text)};
}

Html code(std::string_view text) {
  if (text.empty()) return {};
  std::string inside;
  for (const char c : escaped(text)) {
    inside += c;
    if (c == '/' || c == '+') inside += "<wbr>";
  }
  return {"<code>" + inside + "</code>"};
}

Html command(std::string_view text) {
  return text.empty() ? Html{} : Html{"<pre class=\"command\"><code>" + escaped(text) + "</code></pre>"};
}

std::string fill(std::string_view page, const std::map<std::string, Html, std::less<>>& values) {
  std::string out;
  while (true) {
    const std::size_t open = page.find("{{");
    out += page.substr(0, open);
    if (open == std::string_view::npos) return out;
    page.remove_prefix(open + 2);
    const std::string_view tag = page.substr(0, page.find("}}"));
    page.remove_prefix(std::min(tag.size() + 2, page.size()));
    const std::string_view name = tag.starts_with('#') ? tag.substr(1) : tag;
    const auto value = values.find(name);
    if (!tag.starts_with('#')) {
      if (value == values.end()) throw std::logic_error(fmt::format("no value for {}", name));
      out += value->second.markup;
      continue;
    }
    const std::string end = fmt::format("{{{{/{}}}}}", name);
    const std::size_t close = page.find(end);
    if (close == std::string_view::npos) throw std::logic_error(fmt::format("no end of {}", name));
    if (value != values.end() && !value->second.empty()) out += fill(page.substr(0, close), values);
    page.remove_prefix(close + end.size());
  }
}

void Table::add(std::vector<Cell> row) {
  if (row.size() != heads_.size()) throw std::logic_error("a row has another number of cells");
  std::string cells;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string status = row[i].status.empty() ? "" : fmt::format(" data-status=\"{}\"", row[i].status);
    cells += fmt::format("<{0}{1}{2}>{3}</{4}>", i == 0 ? "th scope=\"row\"" : "td",
                         class_of(heads_[i].column, row[i].html), status, row[i].html.markup,
                         i == 0 ? "th" : "td");
  }
  const std::string id = row[0].id.empty() ? "" : fmt::format(" id=\"{}\"", row[0].id);
  rows_.markup += fmt::format("<tr{}>{}</tr>\n", id, cells);
}

Html Table::html() const {
  std::string heads;
  for (const Head& head : heads_)
    heads += fmt::format("<th scope=\"col\"{}>{}</th>", class_of(head.column, {}), head.html.markup);
  return {fmt::format(
      "<div class=\"scroll\" role=\"region\" aria-label=\"{0}\" tabindex=\"0\"><table>\n"
      "<caption>{0}</caption>\n<thead><tr>{1}</tr></thead>\n<tbody>\n{2}</tbody>\n</table></div>\n",
      escaped(caption_), heads, rows_.markup)};
}

}  // namespace quadpair::reports::html
