// A run of `bench`: cases one after another, each verified, timed and written down.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "harness/bench/options.hpp"
#include "harness/bench/result.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/devices.hpp"
#include "harness/cli/environment.hpp"
#include "harness/cli/progress.hpp"
#include "harness/cli/select.hpp"
#include "reports/hdf5.hpp"
#include "reports/lock_file.hpp"
#include "reports/report_file.hpp"

namespace quadpair::cli {

struct BenchOptions {
  Selection selection;
  std::string device;
  std::string control = "stream";
  bool early_start = false;
  bool hot = false;
  std::uint32_t working_set = 0;
  std::optional<double> max_ratio;
  std::uint64_t seed = 1;
  unsigned timeout = 600;  ///< seconds that a case may take
  std::string json, hdf5;
  bool quiet = false;
};

class Benchmark {
 public:
  Benchmark(const BenchOptions& options, const Environment& environment, const Words& words)
      : options_(options), environment_(environment), words_(words) {}

  int operator()();

 private:
  using Clock = std::chrono::steady_clock;

  void start();
  std::unique_ptr<timing::ClockSource> open_clock() const;
  bench::Options bench_options() const;
  void run_cases(const bench::Options& options, const std::stop_token& stop);
  void finished(std::size_t index, bench::Result result);
  void note_clocks(const std::vector<timing::Sample>& samples);
  reports::Report report() const;
  void write();
  /// Writes what there is, names the case that hangs, and ends the process.
  [[noreturn]] void hung(const std::string& id);
  void print(double seconds) const;
  int status() const;

  const BenchOptions& options_;
  const Environment& environment_;
  const Words& words_;
  cases::Suite suite_;
  ChosenDevice device_;
  std::unique_ptr<reports::LockFile> lock_;
  bool counts_ = false;  ///< the device counts cost, and has no clock
  std::optional<reports::ReportFile> file_;
  std::unique_ptr<reports::Hdf5File> samples_;
  std::optional<Progress> progress_;
  reports::RunRecord run_;
  std::optional<reports::Ledger> ledger_;
  std::vector<std::uint32_t> sm_mhz_;
  std::mutex mutex_;  ///< of what the watchdog writes when a case hangs
  std::vector<std::pair<std::size_t, bench::Result>> results_;  ///< with the case's place in the suite
  Clock::time_point snapshot_ = Clock::now();
};

}  // namespace quadpair::cli
