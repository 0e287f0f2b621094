#include "harness/run/isolated_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "harness/compare/check.hpp"
#include "harness/compare/verdict.hpp"
#include "harness/run/case_runner.hpp"
#include "harness/run/worker.hpp"

namespace quadpair::run {
namespace {

using reports::Status;

/// The outputs of a run that was not judged, against those of one that was.
reports::Check same_outputs(const reports::CaseRecord& judged, const reports::CaseRecord& again) {
  std::vector<std::uint8_t> differ;
  for (const reports::Check& output : again.checks) {
    const auto before = std::ranges::find(judged.checks, output.name, &reports::Check::name);
    differ.push_back(before == judged.checks.end() || before->actual_hash != output.actual_hash ? 1 : 0);
  }
  return compare::bitwise("same in another process", std::vector<std::uint8_t>(differ.size()), differ);
}

}  // namespace

class IsolatedRunner::Workers {
 public:
  Workers(const Options& options, Isolation isolation, const std::stop_token& stop)
      : options_(options),
        isolation_(std::move(isolation)),
        worker_(options, isolation_, stop),
        second_(options, isolation_, stop) {}

  /// Nothing when it was given up.
  std::optional<reports::CaseRecord> one(const cases::Case& c);

 private:
  std::optional<reports::CaseRecord> ask(CaseWorker& worker, const cases::Case& c, bool outputs_only);
  bool repeat_elsewhere(const cases::Case& c, reports::CaseRecord& record);

  const Options& options_;
  const Isolation isolation_;
  CaseWorker worker_, second_;
};

std::optional<reports::CaseRecord> IsolatedRunner::Workers::ask(CaseWorker& worker, const cases::Case& c,
                                                                bool outputs_only) {
  return worker.ask(c,
                    request_text(c, {outputs_only, outputs_only ? SaveArrays::never : options_.save_arrays}),
                    answer_from_text);
}

/// Whether an answer came before the run was given up.
bool IsolatedRunner::Workers::repeat_elsewhere(const cases::Case& c, reports::CaseRecord& record) {
  const auto again = ask(second_, c, true);
  if (!again) return false;
  if (again->status == Status::failed) {
    record.status = Status::failed;
    record.reason = fmt::format("in another process: {}", again->reason);
    return true;
  }
  record.checks.push_back(same_outputs(record, *again));
  if (record.checks.back().passed()) return true;
  record.status = Status::failed;
  record.reason = compare::judge(record.checks, std::nullopt).reason;
  return true;
}

std::optional<reports::CaseRecord> IsolatedRunner::Workers::one(const cases::Case& c) {
  reports::CaseRecord skipped = begin_record(c, options_);
  if (skipped.status == Status::skipped) return skipped;
  auto record = ask(worker_, c, false);
  const bool ran = record && record->status != Status::failed && !record->route.empty();
  if (ran && options_.repeats > 1 && isolation_.second_process && !repeat_elsewhere(c, *record))
    return std::nullopt;
  return record;
}

IsolatedRunner::IsolatedRunner(const Options& options, Isolation isolation, const std::stop_token& stop)
    : workers_(std::make_unique<Workers>(options, std::move(isolation), stop)) {}

IsolatedRunner::~IsolatedRunner() = default;

std::optional<reports::CaseRecord> IsolatedRunner::run(const cases::Case& c) {
  return workers_->one(c);
}

void run_cases_isolated(const std::vector<cases::Case>& cases, const Options& options,
                        const Isolation& isolation, const OnFinished& on_finished,
                        const std::stop_token& stop) {
  IsolatedRunner runner(options, isolation, stop);
  for (std::size_t i = 0; i < cases.size() && !stop.stop_requested(); ++i) {
    auto record = runner.run(cases[i]);
    if (!record) return;
    on_finished(i, std::move(*record));
  }
}

}  // namespace quadpair::run
