// A deadline for work that may never come back.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace quadpair::cli {

/// Calls `expired`, in a thread of its own, unless it is destroyed within the limit.
class Watchdog {
 public:
  Watchdog(std::chrono::milliseconds limit, std::function<void()> expired);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable_any over_;
  std::jthread watcher_;  ///< last, so that it is joined before what it waits on goes
};

}  // namespace quadpair::cli
