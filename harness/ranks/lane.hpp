// A thread that runs cases in worker processes, one at a time, while its owner does something else.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "harness/ranks/protocol.hpp"
#include "harness/run/isolated_runner.hpp"

namespace quadpair::ranks {

/// Waits until the caller may use the device, and holds it while what it gives lives. Throws what keeps it
/// from ever being its turn.
using Turn = std::function<std::shared_ptr<void>(const std::stop_token& stop)>;

class Lane {
 public:
  /// `options` outlive it.
  Lane(const run::Options& options, run::Isolation isolation, Turn turn);
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  /// Gives up the case that runs.
  ~Lane();

  bool idle() const;

  /// Only when idle.
  void start(Given given);

  /// What was started last, once, when it has finished.
  std::optional<Finished> take();

 private:
  void run(const std::stop_token& stop);

  const run::Options& options_;
  const run::Isolation isolation_;
  const Turn turn_;
  mutable std::mutex mutex_;  ///< guards what follows
  std::condition_variable_any changed_;
  std::optional<Given> given_;
  std::optional<Finished> finished_;
  bool idle_ = true;
  std::jthread thread_;  ///< last: it uses all of the above
};

}  // namespace quadpair::ranks
