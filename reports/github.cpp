#include "reports/github.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "reports/text.hpp"

namespace quadpair::reports {
namespace {

/// A value of a workflow command; a property's value has two characters more that end it.
std::string value(std::string_view text, bool property) {
  std::string out;
  for (const char c : readable(text)) {
    const bool ends = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    if (ends)
      out += fmt::format("%{:02X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out;
}

/// A route is kernels as "qpn2/gemm:entry@sm70" between " + "; the last one makes the result.
std::string source_of(std::string_view route) {
  const std::size_t plus = route.rfind(" + ");
  if (plus != std::string_view::npos) route.remove_prefix(plus + 3);
  const std::string_view module = route.substr(0, route.find(':'));
  return module.empty() || module.size() == route.size() ? "" : fmt::format("kernels/{}.cu", module);
}

std::string annotation(const CaseRecord& record) {
  const std::string file = source_of(record.route);
  return fmt::format("::{} {}title={}::{}\n", record.status == Status::mistrusted ? "warning" : "error",
                     file.empty() ? "" : fmt::format("file={},", value(file, true)),
                     value(fmt::format("{} {}", to_string(record.status), record.id), true),
                     value(fmt::format("{}\nrepeat: {}", record.reason, record.repro), false));
}

std::vector<const CaseRecord*> cases_that(const Collection& collection,
                                          std::initializer_list<Status> wanted) {
  std::vector<const CaseRecord*> found;
  for (const auto& [file, report] : collection.runs)
    for (const CaseRecord& record : report.cases)
      if (std::ranges::find(wanted, record.status) != wanted.end()) found.push_back(&record);
  return found;
}

std::string lines(const std::vector<const CaseRecord*>& cases, std::string_view kind) {
  const bool all = cases.size() <= most_annotations;
  std::string text;
  for (std::size_t i = 0; i < (all ? cases.size() : most_annotations - 1); ++i) text += annotation(*cases[i]);
  if (!all)
    text += fmt::format("::{} title=Quadpair::{} in all; the first {} are shown\n", kind,
                        counted(cases.size(), "case"), most_annotations - 1);
  return text;
}

}  // namespace

std::string github_annotations(const Collection& collection) {
  return lines(cases_that(collection, {Status::failed, Status::refused}), "error") +
         lines(cases_that(collection, {Status::mistrusted}), "warning");
}

}  // namespace quadpair::reports
