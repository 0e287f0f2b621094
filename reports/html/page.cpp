#include <fmt/format.h>

#include "reports/html.hpp"
#include "reports/html/chart_data.hpp"
#include "reports/html/pieces.hpp"
#include "reports/html/sections.hpp"
#include "reports/ratios.hpp"

namespace quadpair::reports {

std::string to_html(const Collection& collection) {
  using html::Html;
  const Summary summary = collection.summary();
  const Matrix matrix = matrix_of(collection, html::matrix_columns);
  const nlohmann::ordered_json charts = html::chart_data(collection);
  const auto if_any = [&](const char* name) { return Html{charts[name].empty() ? "" : name}; };
  const std::string title = collection.runs.empty() ? "Storage ledger" : summary_text(summary);
  const std::string devices = collection.runs.empty() ? "" : collection.runs[0].value.run.device.name;
  return html::fill(html::page(),
                    {{"title", html::text(title)},
                     {"status", html::text(to_string(worst(summary)))},
                     {"device", html::text(matrix.one_device ? devices : devices + " and others")},
                     {"style", {std::string(html::style())}},
                     {"notices", html::notices(collection)},
                     {"not_passed", html::not_passed(collection)},
                     {"matrix", html::matrix(matrix)},
                     {"cases", html::cases(matrix)},
                     {"ratios", html::weighted(collection) + html::comparisons(collection)},
                     {"weighted_chart", if_any("weighted")},
                     {"comparisons_chart", if_any("comparisons")},
                     {"samples", if_any("samples")},
                     {"roofline", Html{charts["roofline"]["points"].empty() ? "" : "roofline"}},
                     {"costs", html::costs(collection)},
                     {"storage", html::storage(collection)},
                     {"environment", html::environment(collection)},
                     {"data", {html::script_text(charts)}},
                     {"chart_js", {std::string(html::chart_js_licence()).append(html::chart_js())}},
                     {"script", {std::string(html::script())}}});
}

}  // namespace quadpair::reports
