#include "reports/ratios.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text.hpp"

namespace quadpair::reports {
namespace {

constexpr const char* none = "–";

}  // namespace

WeightedTable weighted_table(const Collection& collection) {
  WeightedTable table;
  for (std::size_t run = 0; run < collection.runs.size(); ++run) {
    const std::string label = run_label(collection, run);
    for (const WeightedRecord& record : collection.runs[run].value.weighted) {
      const std::string name = label.empty() ? record.name : fmt::format("{} ({})", record.name, label);
      const auto found = std::ranges::find(table.names, name);
      const auto column = static_cast<std::size_t>(found - table.names.begin());
      if (found == table.names.end()) table.names.push_back(name);
      table.rows[record.m][column] = &record;
    }
  }
  return table;
}

std::string ratio_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.3f}", *ratio) : none;
}

std::string interval_text(const std::optional<double>& low, const std::optional<double>& high) {
  return low && high ? fmt::format("{:.3f}–{:.3f}", *low, *high) : none;
}

std::string median_text(const TimingRecord& timing, const std::optional<double>& median) {
  if (!median) return none;
  return timing.unit == "seconds" ? fmt::format("{:.3f} µs", *median * 1e6) : fmt::format("{:.0f}", *median);
}

std::string percent_text(const std::optional<double>& fraction) {
  return fraction ? fmt::format("{:.1f} %", *fraction * 100) : none;
}

std::string comparisons_text(const Collection& collection) {
  std::map<std::string, std::uint64_t> verdicts;
  std::uint64_t total = 0;
  for (const auto& [file, report] : collection.runs)
    for (const TimingRecord& timing : report.timings) {
      ++verdicts[timing.verdict];
      ++total;
    }
  std::string text = counted(total, "comparison");
  std::string separator = ": ";
  for (const char* verdict : {"faster", "slower", "equal-within", "ambiguous"})
    if (const auto found = verdicts.find(verdict); found != verdicts.end()) {
      text += fmt::format("{}{} {}", separator, grouped(found->second), verdict);
      separator = ", ";
    }
  return text;
}

}  // namespace quadpair::reports
