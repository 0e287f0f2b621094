// What the leading rank does: hands out the cases of a suite, and gathers their records.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "harness/ranks/lane.hpp"
#include "harness/ranks/messages.hpp"
#include "harness/run/suite_runner.hpp"

namespace quadpair::ranks {

/// A rank whose device or program is not the leading one's: says which, and both.
struct OtherRank : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Tells all other ranks to stop when it goes, so that none waits for a leading rank that has failed.
class StopAll {
 public:
  explicit StopAll(Messages& messages) : messages_(messages) {}
  StopAll(const StopAll&) = delete;
  StopAll& operator=(const StopAll&) = delete;
  ~StopAll();

 private:
  Messages& messages_;
};

/// Called with a line for each rank that is lost, or has a case when the run is stopped.
using OnLost = std::function<void(const std::string& what)>;

/// Gives each rank that is idle the next case, and runs cases itself beside. A rank without a sign of life is
/// lost: its case is given to another rank, and failed for that reason when it has cost two. After a stop is
/// requested nothing more is waited for. Throws OtherRank, and what on_finished throws.
void lead(Messages& messages, const Introduction& introduction, const std::vector<cases::Case>& cases,
          const run::Options& options, const run::Isolation& isolation, const Turn& turn,
          const run::OnFinished& on_finished, const OnLost& on_lost, const std::stop_token& stop,
          const Patience& patience = {});

}  // namespace quadpair::ranks
