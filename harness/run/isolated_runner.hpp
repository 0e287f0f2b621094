// Cases in worker processes: a crash, a hang or a broken device costs one case.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "harness/run/suite_runner.hpp"

namespace quadpair::run {

struct Isolation {
  std::vector<std::string> command;               ///< starts a worker that answers requests (answer_requests)
  std::optional<std::chrono::seconds> timeout{};  ///< of a case; else by its size: see time_allowed
};

/// Two minutes, and a second for each 10^8 multiplications: many times what reference and device
/// take on a loaded machine, the emulator included.
std::chrono::seconds time_allowed(const cases::Case& c,
                                  const cases::SliceSource& slices = *cases::built_in_slices());

/// Runs all cases one after another, each in a worker process. A case whose worker dies, gives no answer in
/// time or answers nonsense is failed for that reason, and a worker that had a failed case is replaced: its
/// device may be broken, or hold what the case left. With options.repeats > 1 the device part of a case that
/// ran is repeated in a second process, and its outputs must be the same (check "same in another process").
/// Skip rule and repro command are the options'; everything else comes with the worker's command.
///
/// After a stop is requested no further case is started, and the one that runs gets 10 s more. The calling
/// thread must not end before the run does. Rethrows what on_finished throws.
void run_cases_isolated(const std::vector<cases::Case>& cases, const Options& options,
                        const Isolation& isolation, const OnFinished& on_finished,
                        const std::stop_token& stop = {});

}  // namespace quadpair::run
