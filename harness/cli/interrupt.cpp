#include "harness/cli/interrupt.hpp"

#include <pthread.h>

#include <ctime>

namespace quadpair::cli {

Interrupt::Interrupt() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  watcher_ = std::jthread([this](const std::stop_token& over) { watch(over); });
}

Interrupt::~Interrupt() {
  watcher_.request_stop();
  watcher_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Interrupt::watch(const std::stop_token& over) {
  constexpr timespec nap{0, 50'000'000};
  while (!over.stop_requested()) {
    siginfo_t info{};
    const int number = sigtimedwait(&signals_, &info, &nap);
    if (number <= 0) continue;
    if (stop_.stop_requested()) {
      std::signal(number, SIG_DFL);
      pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
      std::raise(number);
    }
    {
      const std::lock_guard lock(mutex_);
      number_ = number;
      sender_ = info.si_pid;
    }
    stop_.request_stop();
  }
}

int Interrupt::number() const {
  const std::lock_guard lock(mutex_);
  return number_;
}

std::optional<reports::Interruption> Interrupt::received() const {
  const std::lock_guard lock(mutex_);
  if (number_ == 0) return std::nullopt;
  return reports::Interruption{number_ == SIGINT ? "SIGINT" : "SIGTERM", sender_};
}

}  // namespace quadpair::cli
