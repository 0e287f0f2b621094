#include "harness/cli/watchdog.hpp"

#include <utility>

namespace quadpair::cli {

Watchdog::Watchdog(std::chrono::milliseconds limit, std::function<void()> expired)
    : watcher_([this, limit, expired = std::move(expired)](const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        over_.wait_for(lock, stop, limit, [] { return false; });
        if (!stop.stop_requested()) expired();
      }) {}

}  // namespace quadpair::cli
