#include "reports/compare/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/compare/amounts.hpp"
#include "reports/compare/bits.hpp"
#include "reports/compare/pairing.hpp"

namespace quadpair::reports {
namespace {

using Timings = std::multimap<std::string, const TimingRecord*>;  ///< by case

Timings timings_of(const Report& report) {
  Timings timings;
  for (const TimingRecord& timing : report.timings) timings.emplace(timing.id, &timing);
  return timings;
}

std::set<std::string> models_of(const RunRecord& run) {
  std::set<std::string> models;
  for (const Arithmetic& arithmetic : run.device.arithmetic) models.insert(arithmetic.model);
  return models;
}

/// Runs of a part of a suite have fewer models, not others.
bool other_models(const RunRecord& base, const RunRecord& now) {
  const std::set<std::string> before = models_of(base), after = models_of(now);
  return !std::ranges::includes(before, after) && !std::ranges::includes(after, before);
}

std::string device_of(const RunRecord& run) {
  const bool emulator = run.device.kind == "emulator";  // whose name tells of its threads
  return emulator ? run.device.kind : fmt::format("{} ({})", run.device.name, run.device.kind);
}

std::string other_weights(const Pairing& pairing) {
  std::size_t count = 0;
  const CaseRecord* first = nullptr;
  for (const auto& [base, now] : pairing.pairs) {
    if (base->id != now->id || base->slice.sha256 == now->slice.sha256 || base->slice.sha256.empty() ||
        now->slice.sha256.empty())
      continue;
    if (count++ == 0) first = now;
  }
  return count == 0 ? "" : fmt::format("weights of {} cases, {} for one", count, first->id);
}

std::vector<std::string> differences(const Report& base, const Report& now, const Pairing& pairing) {
  std::vector<std::string> found;
  const auto differ = [&](std::string_view what, const auto& before, const auto& after) {
    if (before != after) found.push_back(fmt::format("{} {}, now {}", what, before, after));
  };
  differ("device", device_of(base.run), device_of(now.run));
  if (other_models(base.run, now.run))
    differ("models", fmt::format("{}", fmt::join(models_of(base.run), " ")),
           fmt::format("{}", fmt::join(models_of(now.run), " ")));
  differ("seed", base.run.seed, now.run.seed);
  if (base.run.suite && now.run.suite) differ("suite", base.run.suite->name, now.run.suite->name);
  if (std::string weights = other_weights(pairing); !weights.empty()) found.push_back(std::move(weights));
  return found;
}

/// What may explain a change, and what a file does not tell.
std::vector<std::string> notes_of(const Report& base, const Report& now) {
  std::vector<std::string> notes;
  const auto differ = [&](std::string_view what, const std::string& before, const std::string& after) {
    if (before != after) notes.push_back(fmt::format("{} {}, now {}", what, before, after));
  };
  differ("driver", base.run.device.driver, now.run.device.driver);
  differ("runtime", base.run.device.runtime, now.run.device.runtime);
  if (base.ledger.has_value() != now.ledger.has_value())
    notes.push_back(fmt::format("only the {} report has a ledger", base.ledger ? "base" : "new"));
  if (base.ledger && now.ledger && base.ledger->tp != now.ledger->tp)
    notes.push_back(fmt::format("ledger over {} ranks, now {}", base.ledger->tp, now.ledger->tp));
  for (const auto& [name, run] : {std::pair{"base", &base.run}, {"new", &now.run}}) {
    if (!run->suite) notes.push_back(fmt::format("the {} report does not name its suite", name));
    if (run->finished.empty() || run->interrupted)
      notes.push_back(fmt::format("the {} run did not finish", name));
  }
  return notes;
}

/// What a control launched, the project's own kernels by their hashes.
std::pair<std::string, std::vector<KernelRecord>> control_code(const TimingRecord& timing,
                                                               const std::vector<KernelRecord>& listed) {
  std::vector<KernelRecord> kernels;
  for (const KernelRecord& kernel : listed)
    if (route_names(*timing.control_route, kernel)) kernels.push_back(kernel);
  return {*timing.control_route, kernels};
}

/// Why two timings say nothing together; empty when they do.
std::string not_comparable(const TimingRecord& before, const TimingRecord& after,
                           const std::vector<KernelRecord>& base, const std::vector<KernelRecord>& now) {
  if (before.sampling != after.sampling)
    return fmt::format("sampled otherwise: {}; now {}", before.sampling, after.sampling);
  for (const auto& [name, timing] : {std::pair{"base", &before}, {"new", &after}})
    if (!timing->control_route) return fmt::format("the {} report does not tell the control's code", name);
  return control_code(before, base) == control_code(after, now) ? "" : "the control's code is another";
}

class Comparer {
 public:
  Comparer(const Report& base, const Report& now, const JudgeTime& judge_time)
      : base_(timings_of(base)),
        now_(timings_of(now)),
        base_kernels_(kernels_of(base)),
        kernels_(kernels_of(now)),
        judge_time_(judge_time) {}

  CaseChange operator()(const CaseRecord& base, const CaseRecord& now) const;

 private:
  void compare_time(const TimingRecord& before, const TimingRecord& after, CaseChange& change) const;

  Timings base_, now_;
  std::vector<KernelRecord> base_kernels_, kernels_;
  const JudgeTime& judge_time_;
};

void Comparer::compare_time(const TimingRecord& before, const TimingRecord& after, CaseChange& change) const {
  if (before.unit != "seconds" || after.unit != "seconds") {
    const auto count = [](const TimingRecord& t) {
      return static_cast<std::uint64_t>(t.candidate_median.value_or(0));
    };
    if (before.unit == after.unit && count(before) != count(after))
      change.costs.push_back({fmt::format("{} of one use", before.unit), count(before), count(after)});
    return;
  }
  if (std::string why = not_comparable(before, after, base_kernels_, kernels_); !why.empty())
    change.times.push_back({.control = after.control, .reason = std::move(why)});
  else
    change.times.push_back(judge_time_(before, after));
}

CaseChange Comparer::operator()(const CaseRecord& base, const CaseRecord& now) const {
  CaseChange change{now.id, base.id, base.status, now.status};
  compare_bits(base, now, change);
  change.costs = changed_costs(base, now);
  const auto [first, last] = now_.equal_range(now.id);
  for (auto after = first; after != last; ++after) {
    const auto [from, to] = base_.equal_range(base.id);
    const auto before =
        std::find_if(from, to, [&](const auto& t) { return t.second->control == after->second->control; });
    if (before != to) compare_time(*before->second, *after->second, change);
  }
  return change;
}

}  // namespace

Comparison compare(const Report& base, const Report& now, bool across, const JudgeTime& judge_time) {
  Pairing pairing = pair_cases(base, now, across);
  Comparison comparison{base.run, now.run, differences(base, now, pairing), notes_of(base, now)};
  if (!across && !comparison.across.empty())
    throw NotAlike(fmt::format("{}", fmt::join(comparison.across, "; ")));
  const Comparer compare_case(base, now, judge_time);
  for (const auto& [before, after] : pairing.pairs) comparison.cases.push_back(compare_case(*before, *after));
  comparison.added = std::move(pairing.added);
  comparison.gone = std::move(pairing.gone);
  comparison.ledger = changed_ledger(base, now);
  return comparison;
}

}  // namespace quadpair::reports
