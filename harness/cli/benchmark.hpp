// A run of `bench`: cases one after another, each verified, timed and written down; on a GPU in workers.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "harness/bench/result.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/devices.hpp"
#include "harness/cli/environment.hpp"
#include "harness/cli/measurement.hpp"
#include "harness/cli/progress.hpp"
#include "harness/cli/run_record.hpp"
#include "harness/cli/select.hpp"
#include "reports/hdf5.hpp"
#include "reports/lock_file.hpp"
#include "reports/report_file.hpp"

namespace quadpair::cli {

struct BenchOptions {
  Selection selection;
  std::string device;
  Measurement measurement;
  std::optional<double> max_ratio;
  unsigned timeout = 0;  ///< seconds that a case may take; 0: not given
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
  void open_files();
  void require_library() const;
  std::string device_word() const;
  bench::Options options_of_bench() const;
  void run_cases(const std::stop_token& stop);
  void finished(std::size_t index, bench::Result result);
  void note_clocks(const std::vector<timing::Sample>& samples);
  reports::Report report() const;
  void write();
  void print(double seconds, Files files) const;
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
  std::vector<std::pair<std::size_t, bench::Result>> results_;  ///< with the case's place in the suite
  Clock::time_point snapshot_ = Clock::now();
};

}  // namespace quadpair::cli
