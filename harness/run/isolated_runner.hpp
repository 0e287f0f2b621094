// Cases in worker processes: a crash, a hang or a broken device costs one case.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "harness/run/case_worker.hpp"
#include "harness/run/suite_runner.hpp"

namespace quadpair::run {

/// Cases one by one, each in a worker process (a CaseWorker) that answers requests (answer_requests). With
/// options.repeats > 1 the device part of a case that ran is
/// repeated in a second process, and its outputs must be the same (check "same in another process"). Skip
/// rule and repro command are the options'; everything else comes with the worker's command.
class IsolatedRunner {
 public:
  /// `options` outlive it. The thread that calls run() must not end before this object does.
  IsolatedRunner(const Options& options, Isolation isolation, const std::stop_token& stop);
  ~IsolatedRunner();

  /// Nothing when it was given up: a stop was requested, and isolation.grace has passed since.
  std::optional<reports::CaseRecord> run(const cases::Case& c);

 private:
  class Workers;
  std::unique_ptr<Workers> workers_;
};

/// Runs all cases so, one after another. After a stop is requested no further case is started. Rethrows what
/// on_finished throws.
void run_cases_isolated(const std::vector<cases::Case>& cases, const Options& options,
                        const Isolation& isolation, const OnFinished& on_finished,
                        const std::stop_token& stop = {});

}  // namespace quadpair::run
