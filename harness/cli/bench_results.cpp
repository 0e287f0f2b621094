#include "harness/cli/bench_results.hpp"

#include <fmt/format.h>

#include <optional>

#include "harness/cli/table.hpp"

namespace quadpair::cli {
namespace {

constexpr const char* none = "-";

std::string number(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : none;
}

std::string interval(const std::optional<double>& low, const std::optional<double>& high) {
  return low && high ? fmt::format("{:.3f}..{:.3f}", *low, *high) : none;
}

Tint tint_of(const std::string& verdict) {
  if (verdict == "faster") return Tint::green;
  return verdict == "ambiguous" ? Tint::yellow : Tint::plain;
}

/// Medians as the unit is best read: microseconds, or counts.
std::string median(const reports::TimingRecord& timing, const std::optional<double>& value) {
  if (!value) return none;
  return timing.unit == "seconds" ? fmt::format("{:.3f} us", *value * 1e6) : fmt::format("{:.0f}", *value);
}

}  // namespace

std::string comparison_table(const reports::Report& report, const Style& style) {
  if (report.timings.empty()) return "";
  Table table({"case", "verdict", "candidate", report.timings.front().control, "ratio", "interval", "A/A",
               "samples", "dropped", "bandwidth"},
              2);
  for (const reports::TimingRecord& t : report.timings)
    table.add({{t.id},
               {t.verdict, tint_of(t.verdict)},
               {median(t, t.candidate_median)},
               {median(t, t.control_median)},
               {number(t.ratio, "{:.3f}")},
               {interval(t.ratio_low, t.ratio_high)},
               {number(t.aa_ratio, "{:.3f}")},
               {std::to_string(t.samples)},
               {std::to_string(t.dropped)},
               {t.bandwidth_fraction ? fmt::format("{:.1f} %", 100 * *t.bandwidth_fraction) : none}});
  std::string text = table.text(style);
  if (report.weighted.empty()) return text;
  Table weighted({"weighted by calls", "M", "ratio", "interval"}, 1);
  for (const reports::WeightedRecord& w : report.weighted)
    weighted.add({{w.name},
                  {std::to_string(w.m)},
                  {fmt::format("{:.3f}", w.ratio)},
                  {interval(w.ratio_low, w.ratio_high)}});
  return text + "\n" + weighted.text(style);
}

}  // namespace quadpair::cli
