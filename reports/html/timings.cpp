#include <fmt/format.h>

#include "reports/cost_summary.hpp"
#include "reports/html/sections.hpp"
#include "reports/ratios.hpp"
#include "reports/text.hpp"

namespace quadpair::reports::html {
namespace {

using enum Table::Column;

constexpr std::uint64_t most_comparisons = 1'000;

std::vector<Table::Cell> comparison_row(const TimingRecord& t, const std::string& label) {
  return {
      {code(t.id) + (label.empty() ? Html{} : Html{fmt::format(" <span class=\"quiet\">{}</span>", label)})},
      {text(t.control)},
      {text(t.verdict)},
      {text(ratio_text(t.ratio))},
      {text(interval_text(t.ratio_low, t.ratio_high))},
      {text(ratio_text(t.aa_ratio))},
      {text(median_text(t, t.candidate_median))},
      {text(median_text(t, t.control_median))},
      {text(grouped(t.samples))},
      {text(grouped(t.dropped))},
      {text(percent_text(t.bandwidth_fraction))},
      {text(t.sampling)}};
}

std::string share(const CostSum& sum, std::uint64_t instructions) {
  const auto value = sum.per_kilo(instructions);
  return value ? fmt::format("{:.2f}", *value) : "–";
}

}  // namespace

Html weighted(const Collection& collection) {
  const WeightedTable weighted = weighted_table(collection);
  if (weighted.names.empty()) return {};
  std::vector<Table::Head> heads{{text("M")}};
  for (const std::string& name : weighted.names) heads.push_back({code(name), number});
  Table table("Weighted ratios with 99 % intervals, by rows M", heads);
  for (const auto& [m, columns] : weighted.rows) {
    std::vector<Table::Cell> cells{{text(std::to_string(m))}};
    for (std::size_t c = 0; c < weighted.names.size(); ++c) {
      const auto found = columns.find(c);
      if (found == columns.end())
        cells.push_back({text("–")});
      else
        cells.push_back(
            {Html{fmt::format("{} <span class=\"quiet\">({})</span>", ratio_text(found->second->ratio),
                              interval_text(found->second->ratio_low, found->second->ratio_high))}});
    }
    table.add(std::move(cells));
  }
  return table.html();
}

Html comparisons(const Collection& collection) {
  Table table("Each comparison of a candidate with its control", {{text("case")},
                                                                  {text("control")},
                                                                  {text("verdict")},
                                                                  {text("ratio"), number},
                                                                  {text("99 % interval"), number},
                                                                  {text("A/A"), number},
                                                                  {text("candidate"), number},
                                                                  {text("control takes"), number},
                                                                  {text("samples"), number},
                                                                  {text("dropped"), number},
                                                                  {text("of the ceiling"), number},
                                                                  {text("sampling")}});
  std::uint64_t shown = 0;
  for (std::size_t run = 0; run < collection.runs.size(); ++run)
    for (const TimingRecord& timing : collection.runs[run].value.timings)
      if (++shown <= most_comparisons) table.add(comparison_row(timing, run_label(collection, run)));
  if (table.empty()) return {};
  Html html{"<p>" + comparisons_text(collection) + ".</p>\n"};
  html += table.html();
  if (shown > most_comparisons)
    html += {fmt::format("<p>{} not shown here.</p>\n", counted(shown - most_comparisons, "comparison"))};
  return html;
}

Html costs(const Collection& collection) {
  const std::vector<CostSum> sums = cost_sums(collection);
  if (sums.empty()) return {};
  const std::vector<std::string> kinds = kinds_of(sums);
  std::vector<Table::Head> heads{{text("operator, target/model")}, {text("cases"), number}};
  for (const std::string& kind : kinds) heads.push_back({text(kind), number});
  for (const char* head : {"all", "sectors / fewest", "shared conflicts", "divergent branches"})
    heads.push_back({text(head), number});
  Table table("Warp instructions for 1,024 multiply-adds, by kind", heads);
  for (const CostSum& sum : sums) {
    std::vector<Table::Cell> cells{{code(to_string(sum.key))}, {text(grouped(sum.cases))}};
    for (const std::string& kind : kinds) {
      const auto found = sum.warp_instructions.find(kind);
      cells.push_back({text(share(sum, found == sum.warp_instructions.end() ? 0 : found->second))});
    }
    cells.push_back({text(share(sum, sum.total()))});
    cells.push_back(
        {text(sum.fewest_sectors == 0 ? "–"
                                      : fmt::format("{:.3f}", static_cast<double>(sum.global_sectors) /
                                                                  static_cast<double>(sum.fewest_sectors)))});
    cells.push_back({text(grouped(sum.shared_conflicts))});
    cells.push_back({text(grouped(sum.divergent_branches))});
    table.add(std::move(cells));
  }
  return table.html();
}

}  // namespace quadpair::reports::html
