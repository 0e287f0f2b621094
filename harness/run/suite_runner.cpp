#include "harness/run/suite_runner.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "harness/device/threads.hpp"
#include "harness/run/case_runner.hpp"

namespace quadpair::run {
namespace {

constexpr std::uint64_t large_elements = 1 << 23;  ///< weights of a slice that gets the machine to itself

bool is_large(const cases::Case& c, const cases::SliceSource& slices) {
  const auto shape = slices.shape(c.slice);
  return shape && std::uint64_t{shape->n} * shape->k > large_elements;
}

class SuiteRun {
 public:
  SuiteRun(const std::vector<cases::Case>& cases, const Options& options, const OnFinished& on_finished,
           std::stop_token stop)
      : cases_(cases),
        options_(options),
        on_finished_(on_finished),
        stop_(std::move(stop)),
        resources_(options) {
    for (std::size_t i = 0; i < cases.size(); ++i)
      (options.one_at_a_time || is_large(cases[i], *options.slices) ? large_ : small_).push_back(i);
  }

  void run() {
    const unsigned jobs = device::thread_count(options_.jobs);
    const auto workers = static_cast<unsigned>(std::clamp<std::size_t>(small_.size(), 1, jobs));
    {
      std::vector<std::jthread> threads;
      for (unsigned worker = 0; worker < workers; ++worker)
        threads.emplace_back([&] {
          for (std::size_t i = next_++; i < small_.size(); i = next_++) one(small_[i], jobs / workers);
        });
    }
    for (const std::size_t index : large_) one(index, jobs);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void one(std::size_t index, unsigned threads) {
    if (failed_ || stop_.stop_requested()) return;
    reports::CaseRecord record = run_case(cases_[index], options_, resources_, threads);
    const std::lock_guard lock(mutex_);
    if (error_) return;
    try {
      on_finished_(index, std::move(record));
    } catch (...) {
      error_ = std::current_exception();
      failed_ = true;
    }
  }

  const std::vector<cases::Case>& cases_;
  const Options& options_;
  const OnFinished& on_finished_;
  const std::stop_token stop_;
  Resources resources_;
  std::vector<std::size_t> small_, large_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  ///< guards what follows, and calls of on_finished_
  std::exception_ptr error_;
};

}  // namespace

void run_cases(const std::vector<cases::Case>& cases, const Options& options, const OnFinished& on_finished,
               const std::stop_token& stop) {
  SuiteRun(cases, options, on_finished, stop).run();
}

}  // namespace quadpair::run
