#include "harness/ranks/lane.hpp"

#include <exception>
#include <utility>

#include "harness/run/case_runner.hpp"

namespace quadpair::ranks {

Lane::Lane(const run::Options& options, run::Isolation isolation, Turn turn)
    : options_(options),
      isolation_(std::move(isolation)),
      turn_(std::move(turn)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

Lane::~Lane() = default;

bool Lane::idle() const {
  const std::lock_guard lock(mutex_);
  return idle_;
}

void Lane::start(Given given) {
  const std::lock_guard lock(mutex_);
  given_ = std::move(given);
  idle_ = false;
  changed_.notify_one();
}

std::optional<Finished> Lane::take() {
  const std::lock_guard lock(mutex_);
  if (finished_) idle_ = true;
  return std::exchange(finished_, std::nullopt);
}

void Lane::run(const std::stop_token& stop) {
  run::IsolatedRunner runner(options_, isolation_, stop);
  while (true) {
    Given given;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [&] { return given_.has_value(); })) return;
      given = *std::exchange(given_, std::nullopt);
    }
    std::optional<reports::CaseRecord> record;
    try {
      const std::shared_ptr<void> turn = turn_(stop);
      record = runner.run(given.c);
    } catch (const std::exception& e) {
      record = run::begin_record(given.c, options_);
      record->reason = e.what();
    }
    if (!record) return;
    const std::lock_guard lock(mutex_);
    finished_ = Finished{given.index, std::move(*record)};
  }
}

}  // namespace quadpair::ranks
