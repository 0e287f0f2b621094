// Orderly end on SIGINT and SIGTERM.
#pragma once

#include <csignal>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "reports/record.hpp"

namespace quadpair::cli {

/// While it lives, the first SIGINT or SIGTERM requests a stop; a second one ends the process at once. Make
/// it before any thread that is to be spared the signals.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  std::stop_token token() const { return stop_.get_token(); }

  /// The signal that arrived, and who sent it.
  std::optional<reports::Interruption> received() const;
  /// Its number, or 0.
  int number() const;

 private:
  void watch(const std::stop_token& over);

  sigset_t signals_{}, before_{};
  std::stop_source stop_;
  mutable std::mutex mutex_;
  int number_ = 0;
  std::int64_t sender_ = 0;
  std::jthread watcher_;
};

}  // namespace quadpair::cli
