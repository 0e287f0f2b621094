#include "reports/collection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "reports/text.hpp"

namespace quadpair::reports {
namespace {

constexpr Status from_worst[] = {Status::failed, Status::refused, Status::mistrusted, Status::passed,
                                 Status::skipped};

void say_of_ends(const Collection& collection, std::size_t i, std::vector<std::string>& said) {
  const Report& report = collection.runs[i].value;
  const RunRecord& run = report.run;
  const std::string name = collection.runs[i].file;
  if (run.interrupted)
    said.push_back(fmt::format("{} was interrupted by {}: {} of {} ran.", name, run.interrupted->signal,
                               grouped(report.cases.size()), counted(run.planned, "case")));
  else if (run.finished.empty())
    said.push_back(fmt::format("{} is of a run that did not come to its end: {} of {} ran.", name,
                               grouped(report.cases.size()), counted(run.planned, "case")));
}

void say_of_same_runs(const Collection& collection, std::vector<std::string>& said) {
  std::map<std::string_view, std::string> files;
  for (const auto& [file, report] : collection.runs) {
    const auto [other, is_new] = files.emplace(report.run.id, file);
    if (!is_new) said.push_back(fmt::format("{} and {} are of the same run.", other->second, file));
  }
}

/// Which runs have a case of that id, and how it ended in each.
using Ends = std::vector<std::pair<std::size_t, Status>>;

void say_of_same_cases(const Collection& collection, std::vector<std::string>& said) {
  std::map<std::string_view, Ends> cases;
  for (std::size_t i = 0; i < collection.runs.size(); ++i)
    for (const CaseRecord& record : collection.runs[i].value.cases)
      cases[record.id].emplace_back(i, record.status);
  std::uint64_t repeated = 0, differing = 0;
  std::string_view first;
  for (const auto& [id, ends] : cases) {
    if (ends.size() < 2) continue;
    ++repeated;
    const auto ran = [](const auto& end) { return end.second != Status::skipped; };
    const auto begin = std::ranges::find_if(ends, ran);
    const bool alike = std::all_of(begin, ends.end(),
                                   [&](const auto& end) { return !ran(end) || end.second == begin->second; });
    if (!alike && differing++ == 0) first = id;
  }
  if (repeated == 0) return;
  said.push_back(fmt::format("{} in more than one run; each is counted.",
                             repeated == 1 ? "1 case id occurs" : grouped(repeated) + " case ids occur"));
  if (differing > 0)
    said.push_back(fmt::format("{} did not end alike where it ran; the first is {}.",
                               counted(differing, "case id"), first));
}

void say_of_builds(const Collection& collection, std::vector<std::string>& said) {
  std::set<std::string> builds;
  for (const auto& [file, report] : collection.runs)
    builds.insert(fmt::format("{} (git {}{})", report.run.version, report.run.git.revision,
                              report.run.git.dirty ? ", changed" : ""));
  if (builds.size() > 1)
    said.push_back(fmt::format("The runs are of different builds: {}.", fmt::join(builds, ", ")));
}

}  // namespace

Summary Collection::summary() const {
  Summary summary;
  for (const auto& [file, report] : runs)
    for (const CaseRecord& record : report.cases) count(summary, record.status);
  return summary;
}

std::string run_label(const Collection& collection, std::size_t run) {
  return collection.runs.size() < 2 ? "" : fmt::format("run {}", run + 1);
}

std::vector<From<Ledger>> ledgers_of(const Collection& collection) {
  std::vector<From<Ledger>> all;
  const auto add = [&](const std::string& file, const Ledger& ledger) {
    const auto same = std::ranges::find(all, ledger, &From<Ledger>::value);
    if (same == all.end())
      all.push_back({file, ledger});
    else
      same->file += ", " + file;
  };
  for (const auto& [file, report] : collection.runs)
    if (report.ledger) add(file, *report.ledger);
  for (const auto& [file, ledger] : collection.ledgers) add(file, ledger);
  return all;
}

std::vector<std::string> notices(const Collection& collection) {
  std::vector<std::string> said;
  for (std::size_t i = 0; i < collection.runs.size(); ++i) say_of_ends(collection, i, said);
  say_of_same_runs(collection, said);
  say_of_same_cases(collection, said);
  say_of_builds(collection, said);
  return said;
}

Status worst(const Summary& summary) {
  for (const Status status : from_worst)
    if (count_of(summary, status) > 0) return status;
  return Status::skipped;
}

std::uint64_t count_of(const Summary& summary, Status status) {
  switch (status) {
    case Status::passed: return summary.passed;
    case Status::failed: return summary.failed;
    case Status::skipped: return summary.skipped;
    case Status::refused: return summary.refused;
    case Status::mistrusted: return summary.mistrusted;
  }
  return 0;
}

std::string summary_text(const Summary& summary) {
  std::string text = counted(summary.total(), "case");
  if (summary.total() == 0) return text;
  if (summary.passed == summary.total()) return text + ": all passed";
  std::string separator = ": ";
  for (const Status status : from_worst) {
    const std::uint64_t n = count_of(summary, status);
    if (n == 0) continue;
    text += fmt::format("{}{} {}", separator, grouped(n), to_string(status));
    separator = ", ";
  }
  return text;
}

}  // namespace quadpair::reports
