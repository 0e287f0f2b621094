#include "harness/cli/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "harness/cli/table.hpp"

namespace quadpair::cli {
namespace {

struct Group {
  std::string operation, target, model;
  reports::Summary summary;
  reports::Seconds seconds;
};

std::vector<Group> group(const std::vector<reports::CaseRecord>& cases) {
  std::vector<Group> groups;
  for (const reports::CaseRecord& c : cases) {
    auto found = std::ranges::find_if(groups, [&](const Group& g) {
      return g.operation == c.operation && g.target == c.target && g.model == c.model;
    });
    if (found == groups.end())
      found = groups.insert(groups.end(), Group{c.operation, c.target, c.model, {}, {}});
    reports::count(found->summary, c.status);
    found->seconds.device += c.seconds.device;
    found->seconds.reference += c.seconds.reference;
  }
  return groups;
}

Table::Cell number(std::uint64_t n, Tint tint) {
  return {fmt::format("{}", n), n > 0 ? tint : Tint::plain};
}

}  // namespace

std::string counted(std::size_t cases) {
  return fmt::format("{} case{}", cases, cases == 1 ? "" : "s");
}

std::string results_table(const reports::Report& report, const Style& style) {
  Table table({"operator", "target", "model", "passed", "failed", "refused", "mistrusted", "skipped",
               "device s", "reference s"},
              3);
  for (const Group& g : group(report.cases))
    table.add({{g.operation},
               {g.target},
               {g.model},
               number(g.summary.passed, Tint::green),
               number(g.summary.failed, Tint::red),
               number(g.summary.refused, Tint::red),
               number(g.summary.mistrusted, Tint::yellow),
               number(g.summary.skipped, Tint::yellow),
               {fmt::format("{:.2f}", g.seconds.device)},
               {fmt::format("{:.2f}", g.seconds.reference)}});
  return table.text(style);
}

std::string results_line(const reports::Report& report, double seconds, const Style& style) {
  const reports::Summary s = reports::summarize(report.cases);
  std::string text =
      fmt::format("{} on {} in {:.1f} s: ", counted(s.total()), report.run.device.name, seconds);
  if (s.passed == s.total()) return text + style(Tint::green, "all passed") + "\n";
  return text + fmt::format("{} passed{}\n", s.passed, not_passed(s, style));
}

std::string not_passed(const reports::Summary& summary, const Style& style) {
  std::string text;
  const auto add = [&](std::uint64_t n, std::string_view what, Tint tint) {
    if (n > 0) text += ", " + style(tint, fmt::format("{} {}", n, what));
  };
  add(summary.failed, "failed", Tint::red);
  add(summary.refused, "refused", Tint::red);
  add(summary.mistrusted, "mistrusted", Tint::yellow);
  add(summary.skipped, "skipped", Tint::yellow);
  return text;
}

std::string screening_lines(const reports::Report& report) {
  std::map<std::string, reports::ScreeningRecord> slices;
  for (const reports::CaseRecord& c : report.cases) {
    if (!c.screening) continue;
    reports::ScreeningRecord& sum = slices[c.slice.name];
    sum.rows += c.screening->rows;
    sum.top1_differs += c.screening->top1_differs;
    sum.top_differs += c.screening->top_differs;
    sum.top1_certain += c.screening->top1_certain;
    sum.top_certain += c.screening->top_certain;
  }
  std::string text;
  for (const auto& [slice, s] : slices)
    text += fmt::format(
        "screening {}: of {} rows top-1 differs from the dense head's in {}, top-k in {}; proved equal: {} "
        "and "
        "{}\n",
        slice, s.rows, s.top1_differs, s.top_differs, s.top1_certain, s.top_certain);
  return text;
}

std::string skipped_reasons(const reports::Report& report) {
  std::map<std::string, std::size_t> reasons;
  for (const reports::CaseRecord& c : report.cases)
    if (c.status == reports::Status::skipped) ++reasons[c.reason];
  std::string text;
  for (const auto& [reason, count] : reasons) text += fmt::format("{} skipped: {}\n", count, reason);
  return text;
}

}  // namespace quadpair::cli
