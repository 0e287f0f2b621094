// Cases measured in a worker process: a crash, a hang or a broken device costs one case.
#pragma once

#include <optional>
#include <stop_token>

#include "harness/bench/result.hpp"
#include "harness/run/case_worker.hpp"

namespace quadpair::bench {

/// One worker measures all cases as long as none fails, so that they share its ceiling, its caches and its
/// device as they would in this process; a fresh one measures its own ceiling. This process meanwhile only
/// waits.
class IsolatedBench {
 public:
  /// `options`, of which skip rule and repro command count, outlive it; what is measured and how comes with
  /// the command, which starts a worker that answers requests (answer_requests). The thread that calls run()
  /// must not end before this object does.
  IsolatedBench(const run::Options& options, run::Isolation isolation, const std::stop_token& stop)
      : options_(options), isolation_(std::move(isolation)), worker_(options, isolation_, stop) {}

  /// As Bench::run; what the worker does wrong makes a failed record, see run::CaseWorker. Nothing when the
  /// case was given up. Throws device::Unavailable where the worker's bench does.
  std::optional<Result> run(const cases::Case& c);

 private:
  const run::Options& options_;
  const run::Isolation isolation_;
  run::CaseWorker worker_;
};

}  // namespace quadpair::bench
