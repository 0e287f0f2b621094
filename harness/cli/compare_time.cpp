#include "harness/cli/compare_time.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "harness/cli/exit_status.hpp"
#include "harness/timing/change.hpp"
#include "reports/hdf5_read.hpp"
#include "reports/json_read.hpp"
#include "reports/report_file.hpp"

namespace quadpair::cli {
namespace {

reports::Report read_report(const std::string& file) {
  try {
    return reports::read_report(file);
  } catch (const reports::ReadError& e) {
    throw Error(Exit::bad_data, e.what());
  }
}

/// The four samples that count of each round, A B B A by their order.
std::vector<timing::Round> rounds_of(const std::vector<reports::SampleRow>& samples) {
  std::map<std::uint32_t, std::map<std::uint32_t, double>> counted;
  for (const reports::SampleRow& s : samples)
    if (s.counted != 0) counted[s.round][s.order] = s.seconds;
  std::vector<timing::Round> rounds;
  for (auto& [number, seconds] : counted)
    if (seconds.size() == 4) rounds.push_back({seconds[1], seconds[2], seconds[3], seconds[4]});
  return rounds;
}

bool timed(const reports::Report& report) {
  return std::ranges::any_of(report.timings, [](const auto& timing) { return timing.unit == "seconds"; });
}

/// Why there are no samples; empty when there are.
std::string read_rounds(const std::filesystem::path& folder, TimedReport& report) {
  const reports::RunRecord& run = report.report.run;
  if (run.hdf5.empty()) return "no raw samples were written";
  try {
    const reports::RunSamples samples = reports::read_samples(folder / run.hdf5);
    if (samples.run != run.id) return fmt::format("{} is of another run", run.hdf5);
    for (const reports::CaseSamples& c : samples.cases) report.rounds[c.id] = rounds_of(c.samples);
    return "";
  } catch (const reports::Hdf5Error& e) {
    return fmt::format("raw samples cannot be read ({})", e.what());
  }
}

std::optional<timing::Interval> interval_of(const reports::TimingRecord& timing) {
  if (!timing.ratio || !timing.ratio_low || !timing.ratio_high) return std::nullopt;
  return timing::Interval{*timing.ratio, *timing.ratio_low, *timing.ratio_high};
}

reports::Speed speed_of(timing::Change change) {
  switch (change) {
    case timing::Change::same: return reports::Speed::same;
    case timing::Change::faster: return reports::Speed::faster;
    case timing::Change::slower: return reports::Speed::slower;
    case timing::Change::ambiguous: break;
  }
  return reports::Speed::ambiguous;
}

/// A ratio is judged, unless either control differs from itself.
void judge(const timing::Interval& ratio, bool misleading, reports::TimeChange& change) {
  change.ratio = ratio.ratio;
  change.low = ratio.low;
  change.high = ratio.high;
  change.speed = speed_of(misleading ? timing::Change::ambiguous : timing::judge_change(ratio));
  if (misleading) change.reason = "a control differs from itself";
}

const std::vector<timing::Round>* rounds_in(const TimedReport& report, const std::string& id) {
  constexpr std::size_t fewest = 2;
  const auto found = report.rounds.find(id);
  return found == report.rounds.end() || found->second.size() < fewest ? nullptr : &found->second;
}

}  // namespace

TimedReport read_timed_report(const std::string& file) {
  TimedReport report{read_report(file), {}, ""};
  if (timed(report.report))
    report.why_no_samples = read_rounds(std::filesystem::path(file).parent_path(), report);
  return report;
}

reports::JudgeTime judge_time(const TimedReport& base, const TimedReport& now) {
  return [&](const reports::TimingRecord& before, const reports::TimingRecord& after) {
    reports::TimeChange change{.control = after.control};
    const auto *rounds = rounds_in(base, before.id), *rounds_now = rounds_in(now, after.id);
    if (rounds != nullptr && rounds_now != nullptr) {
      change.evidence = "samples";
      judge(timing::change_of(*rounds, *rounds_now),
            misleads(timing::control_against_itself(*rounds)) ||
                misleads(timing::control_against_itself(*rounds_now)),
            change);
      return change;
    }
    const auto interval = interval_of(before), interval_now = interval_of(after);
    if (!interval || !interval_now) {
      change.reason = fmt::format("the {} run has too few samples that count", !interval ? "base" : "new");
      return change;
    }
    change.evidence = "intervals";
    const auto off = [](const std::optional<double>& aa) { return aa && timing::misleads({*aa, *aa, *aa}); };
    judge(timing::change_of(*interval, *interval_now), off(before.aa_ratio) || off(after.aa_ratio), change);
    return change;
  };
}

}  // namespace quadpair::cli
