#include "harness/run/isolated_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "harness/compare/check.hpp"
#include "harness/compare/verdict.hpp"
#include "harness/run/case_runner.hpp"
#include "harness/run/deal.hpp"
#include "harness/run/worker.hpp"
#include "harness/run/worker_process.hpp"
#include "reports/json_read.hpp"

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
  Workers(const Options& options, Isolation isolation, std::stop_token stop)
      : options_(options), isolation_(std::move(isolation)), stop_(std::move(stop)) {}

  /// Nothing when it was given up.
  std::optional<reports::CaseRecord> one(const cases::Case& c);

 private:
  using Worker = std::optional<WorkerProcess>;
  std::optional<reports::CaseRecord> ask(Worker& worker, const cases::Case& c, bool outputs_only);
  bool repeat_elsewhere(const cases::Case& c, reports::CaseRecord& record);

  const Options& options_;
  const Isolation isolation_;
  const std::stop_token stop_;
  Worker worker_, second_;
};

/// A record is failed for whatever the worker did wrong, and the worker replaced.
std::optional<reports::CaseRecord> IsolatedRunner::Workers::ask(Worker& worker, const cases::Case& c,
                                                                bool outputs_only) {
  reports::CaseRecord record = begin_record(c, options_);
  try {
    if (!worker) worker.emplace(isolation_.command);
    const auto answer =
        worker->ask(request_text(c, {outputs_only, outputs_only ? SaveArrays::never : options_.save_arrays}),
                    isolation_.timeout.value_or(time_allowed(c, *options_.slices)), stop_, isolation_.grace);
    if (!answer) return std::nullopt;
    reports::CaseRecord answered = answer_from_text(*answer);
    if (answered.id != c.id) throw reports::ReadError("a record of " + answered.id);
    answered.repro = record.repro;
    record = std::move(answered);
  } catch (const WorkerLost& e) {
    record.reason = fmt::format("worker process: {}", e.what());
  } catch (const reports::ReadError& e) {
    record.reason = fmt::format("worker process: answered nonsense: {}", e.what());
  }
  if (record.status == Status::failed) worker.reset();
  return record;
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

IsolatedRunner::IsolatedRunner(const Options& options, Isolation isolation, std::stop_token stop)
    : workers_(std::make_unique<Workers>(options, std::move(isolation), std::move(stop))) {}

IsolatedRunner::~IsolatedRunner() = default;

std::optional<reports::CaseRecord> IsolatedRunner::run(const cases::Case& c) {
  return workers_->one(c);
}

std::chrono::seconds time_allowed(const cases::Case& c, const cases::SliceSource& slices) {
  constexpr std::uint64_t least = 120, a_second = 100'000'000;
  return std::chrono::seconds(least + multiplications(c, slices) / a_second);
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
