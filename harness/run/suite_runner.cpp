#include "harness/run/suite_runner.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "harness/run/case_runner.hpp"

namespace quadpair::run {
namespace {

constexpr std::size_t cache_bytes = std::size_t{1} << 30;
constexpr std::uint64_t large_elements = 1 << 23;  ///< weights of a slice that gets the machine to itself

bool is_large(const cases::Case& c, MatrixCache& cache) {
  try {
    const Slice slice = cache.slice(c.slice);
    return std::uint64_t{slice.weights->n} * slice.weights->k > large_elements;
  } catch (const std::exception&) {
    return false;  // the case itself reports it
  }
}

class SuiteRun {
 public:
  SuiteRun(const std::vector<cases::Case>& cases, const Options& options, const OnFinished& on_finished,
           std::stop_token stop)
      : cases_(cases),
        options_(options),
        on_finished_(on_finished),
        stop_(std::move(stop)),
        cache_(options.seed, cache_bytes) {}

  void run() {
    const unsigned jobs =
        options_.jobs != 0 ? options_.jobs : std::max(1u, std::thread::hardware_concurrency());
    const auto workers = static_cast<unsigned>(std::clamp<std::size_t>(cases_.size(), 1, jobs));
    {
      std::vector<std::jthread> threads;
      for (unsigned i = 0; i < workers; ++i) threads.emplace_back([&] { small_ones(jobs / workers); });
    }
    std::ranges::sort(large_);
    for (const std::size_t index : large_) one(index, jobs);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void small_ones(unsigned threads) {
    for (std::size_t index = next_++; index < cases_.size() && !stopped(); index = next_++) {
      if (is_large(cases_[index], cache_)) {
        const std::lock_guard lock(mutex_);
        large_.push_back(index);
      } else {
        one(index, threads);
      }
    }
  }

  void one(std::size_t index, unsigned threads) {
    if (stopped()) return;
    reports::CaseRecord record = run_case(cases_[index], options_, cache_, threads);
    const std::lock_guard lock(mutex_);
    if (error_) return;
    try {
      on_finished_(index, std::move(record));
    } catch (...) {
      error_ = std::current_exception();
      failed_ = true;
    }
  }

  bool stopped() const { return failed_ || stop_.stop_requested(); }

  const std::vector<cases::Case>& cases_;
  const Options& options_;
  const OnFinished& on_finished_;
  const std::stop_token stop_;
  MatrixCache cache_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  ///< guards what follows, and calls of on_finished_
  std::vector<std::size_t> large_;
  std::exception_ptr error_;
};

}  // namespace

void run_cases(const std::vector<cases::Case>& cases, const Options& options, const OnFinished& on_finished,
               const std::stop_token& stop) {
  SuiteRun(cases, options, on_finished, stop).run();
}

}  // namespace quadpair::run
