#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/html/sections.hpp"
#include "reports/text.hpp"

namespace quadpair::reports::html {
namespace {

constexpr std::size_t most_not_passed = 100, most_cases = 3'000;

std::string anchor(std::size_t row, std::size_t column) {
  return fmt::format("r{}c{}", row, column);
}

Html row_name(const Matrix& matrix, const MatrixKey& key) {
  Html name = code(to_string(key));
  if (!matrix.one_device) name += {" <span class=\"quiet\">" + escaped(key.device) + "</span>"};
  return name;
}

/// Short, and told apart without colour.
Html cell_label(const MatrixCell& cell) {
  const Status status = worst(cell.summary);
  if (status == Status::passed)
    return {fmt::format("{}<span class=\"unseen\"> passed</span>", grouped(cell.summary.passed))};
  if (status == Status::skipped)
    return {"<span aria-hidden=\"true\">–</span><span class=\"unseen\">skipped</span>"};
  return {fmt::format("{} {}", grouped(count_of(cell.summary, status)), to_string(status))};
}

Html cell(const MatrixRow& row, const Rows& rows, const MatrixCell& cell, const std::string& place) {
  const CaseRecord& shown = *cell.worst;
  const std::string reason = shown.reason.empty() ? "" : "<br>" + escaped(shortened(shown.reason, 300));
  return {fmt::format(
      "<a href=\"#{0}\" aria-describedby=\"{0}-tip\">{1}</a>"
      "<div class=\"tip\" role=\"tooltip\" id=\"{0}-tip\"><strong>{2}, M {3}: {4}</strong>{5}{6}</div>",
      place, cell_label(cell).markup, escaped(to_string(row.key)), to_string(rows),
      summary_text(cell.summary), reason, command(shown.repro).markup)};
}

Html checks_text(const CaseRecord& record) {
  std::string items;
  for (const Check& check : record.checks)
    if (!check.passed()) items += "<li>" + escaped(describe(check)) + "</li>";
  return {items.empty() ? "" : "<ul>" + items + "</ul>"};
}

std::vector<Table::Cell> case_row(const CaseRecord& record, const std::string& id) {
  const std::string_view status = to_string(record.status);
  return {{code(record.id), {}, id},
          {text(status), status, {}},
          {text(std::to_string(record.checks.size())), {}, {}},
          {text(fmt::format("{:.3f}", record.seconds.device + record.seconds.reference)), {}, {}},
          {text(shortened(record.reason, 300)), {}, {}},
          {code(record.repro), {}, {}}};
}

/// Worst first; `shown` of them.
std::vector<const CaseRecord*> first_cases(const MatrixCell& cell, std::size_t shown) {
  std::vector<const CaseRecord*> chosen;
  for (const Status status :
       {Status::failed, Status::refused, Status::mistrusted, Status::passed, Status::skipped})
    for (const CaseRecord* record : cell.cases)
      if (record->status == status && chosen.size() < shown) chosen.push_back(record);
  return chosen;
}

Html cases_of_row(const Matrix& matrix, std::size_t index, std::size_t shown_a_cell) {
  const MatrixRow& row = matrix.rows[index];
  using enum Table::Column;
  Table table("Cases of " + to_string(row.key), {{text("case")},
                                                 {text("status")},
                                                 {text("checks"), number},
                                                 {text("seconds"), number},
                                                 {text("reason")},
                                                 {text("repeat")}});
  Summary summary;
  std::uint64_t left_out = 0;
  for (const auto& [column, cell] : row.cells) {
    std::string id = anchor(index, column);
    const std::vector<const CaseRecord*> shown = first_cases(cell, shown_a_cell);
    for (const CaseRecord* record : shown) table.add(case_row(*record, std::exchange(id, "")));
    for (const CaseRecord* record : cell.cases) count(summary, record->status);
    left_out += cell.cases.size() - shown.size();
  }
  const std::string rest =
      left_out == 0 ? "" : fmt::format("<p>{} not listed here.</p>\n", counted(left_out, "case"));
  return {fmt::format("<details>\n<summary>{} <span class=\"quiet\">{}</span></summary>\n{}{}</details>\n",
                      row_name(matrix, row.key).markup, summary_text(summary), table.html().markup, rest)};
}

}  // namespace

Html not_passed(const Collection& collection) {
  Html list;
  std::uint64_t shown = 0;
  for (const Status status : {Status::failed, Status::refused, Status::mistrusted})
    for (std::size_t run = 0; run < collection.runs.size(); ++run)
      for (const CaseRecord& record : collection.runs[run].value.cases) {
        if (record.status != status || ++shown > most_not_passed) continue;
        const std::string label = run_label(collection, run);
        list.markup += fmt::format(
            "<article>\n<h3><span class=\"badge\" data-status=\"{0}\">{0}</span> "
            "{1}{2}</h3>\n<p>{3}</p>\n{4}{5}</article>\n",
            to_string(status), code(record.id).markup,
            label.empty() ? "" : fmt::format(" <span class=\"quiet\">{}</span>", label),
            escaped(record.reason), checks_text(record).markup, command(record.repro).markup);
      }
  if (shown > most_not_passed)
    list.markup += fmt::format("<p>{} not shown here.</p>\n", counted(shown - most_not_passed, "case"));
  return list;
}

Html matrix(const Matrix& matrix) {
  if (matrix.rows.empty()) return {};
  std::vector<Table::Head> heads{{text("operator, target/model")}};
  for (const Rows& column : matrix.columns)
    heads.push_back({text("M " + to_string(column)), Table::Column::number});
  Table table("Cases by operator, target, model and rows M", heads);
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    const MatrixRow& row = matrix.rows[i];
    std::vector<Table::Cell> cells{{row_name(matrix, row.key), {}, {}}};
    for (std::size_t c = 0; c < matrix.columns.size(); ++c) {
      const auto found = row.cells.find(c);
      if (found == row.cells.end())
        cells.push_back({{}, {}, {}});
      else
        cells.push_back({cell(row, matrix.columns[c], found->second, anchor(i, c)),
                         to_string(worst(found->second.summary)),
                         {}});
    }
    table.add(std::move(cells));
  }
  return table.html();
}

Html cases(const Matrix& matrix) {
  std::size_t total = 0, cells = 0;
  for (const MatrixRow& row : matrix.rows)
    for (const auto& [column, cell] : row.cells) {
      total += cell.cases.size();
      ++cells;
    }
  const std::size_t shown_a_cell = total <= most_cases ? total : std::max<std::size_t>(most_cases / cells, 1);
  Html html;
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) html += cases_of_row(matrix, i, shown_a_cell);
  return html;
}

}  // namespace quadpair::reports::html
