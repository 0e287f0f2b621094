// The worker process that cases are sent to, replaced when one of them may have spoilt it.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "harness/run/options.hpp"
#include "harness/run/worker_process.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

struct Isolation {
  std::vector<std::string> command;               ///< starts a worker that answers requests
  std::optional<std::chrono::seconds> timeout{};  ///< of a case; else by its size: see time_allowed
  bool second_process = true;      ///< with options.repeats > 1, repeat the device part in another worker too
  std::chrono::seconds grace{10};  ///< for the case that runs when a stop is requested
};

/// Two minutes, and a second for each 10^8 multiplications: many times what reference and device
/// take on a loaded machine, the emulator included.
std::chrono::seconds time_allowed(const cases::Case& c,
                                  const cases::SliceSource& slices = *cases::built_in_slices());

class CaseWorker {
 public:
  /// What an answer says of the case. May throw reports::ReadError.
  using Read = std::function<reports::CaseRecord(std::string_view answer)>;

  /// `options` and `isolation` outlive it. The thread that asks must not end before this object does.
  CaseWorker(const Options& options, const Isolation& isolation, std::stop_token stop)
      : options_(options), isolation_(isolation), stop_(std::move(stop)) {}

  /// The case's record, with the options' repro command. It is failed when the worker dies, gives no answer
  /// in time or answers nonsense, for that reason. A worker that had a failed case is replaced by the next
  /// call: its device may be broken, or hold what the case left. Nothing when the case was given up: a stop
  /// was requested, and isolation.grace has passed since. What else `read` throws comes through.
  std::optional<reports::CaseRecord> ask(const cases::Case& c, std::string_view request, const Read& read);

 private:
  const Options& options_;
  const Isolation& isolation_;
  const std::stop_token stop_;
  std::optional<WorkerProcess> process_;
};

}  // namespace quadpair::run
