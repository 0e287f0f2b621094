// Cases in worker processes: a crash, a hang or a broken device costs one case.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "harness/run/suite_runner.hpp"

namespace quadpair::run {

struct Isolation {
  std::vector<std::string> command;               ///< starts a worker that answers requests (answer_requests)
  std::optional<std::chrono::seconds> timeout{};  ///< of a case; else by its size: see time_allowed
  bool second_process = true;      ///< with options.repeats > 1, repeat the device part in another worker too
  std::chrono::seconds grace{10};  ///< for the case that runs when a stop is requested
};

/// Two minutes, and a second for each 10^8 multiplications: many times what reference and device
/// take on a loaded machine, the emulator included.
std::chrono::seconds time_allowed(const cases::Case& c,
                                  const cases::SliceSource& slices = *cases::built_in_slices());

/// Cases one by one, each in a worker process. A case whose worker dies, gives no answer in time or answers
/// nonsense is failed for that reason, and a worker that had a failed case is replaced: its device may be
/// broken, or hold what the case left. With options.repeats > 1 the device part of a case that ran is
/// repeated in a second process, and its outputs must be the same (check "same in another process"). Skip
/// rule and repro command are the options'; everything else comes with the worker's command.
class IsolatedRunner {
 public:
  /// `options` outlive it. The thread that calls run() must not end before this object does.
  IsolatedRunner(const Options& options, Isolation isolation, std::stop_token stop);
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
