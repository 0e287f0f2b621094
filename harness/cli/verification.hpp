// A run of `verify`: a suite on a device, alone or as one rank of several.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "harness/cli/checkpoint_options.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/devices.hpp"
#include "harness/cli/environment.hpp"
#include "harness/cli/progress.hpp"
#include "harness/cli/run_record.hpp"
#include "harness/cli/select.hpp"
#include "harness/cli/verify_files.hpp"
#include "harness/ranks/messages.hpp"
#include "harness/run/isolated_runner.hpp"
#include "reports/lock_file.hpp"

namespace quadpair::cli {

struct VerifyOptions {
  Selection selection;
  CheckpointOptions checkpoint;
  std::string device;
  std::uint64_t seed = 1;
  unsigned jobs = 0, repeats = 0;  ///< repeats 0: not given
  unsigned timeout = 0;            ///< seconds; 0: not given
  bool isolate = false;
  std::string sanitize;  ///< "on", "off"; empty: as the suite says
  reports::Shard shard;
  VerifyOutputs outputs;
  bool quiet = false;
};

class Verification {
 public:
  Verification(const VerifyOptions& options, const Environment& environment, const Words& words)
      : options_(options), environment_(environment), words_(words) {}

  int operator()();

 private:
  void choose_device();
  void choose_suite();
  void start();
  void choose_cases();
  bool sanitizes() const;
  run::Options run_options() const;
  run::Isolation isolation() const;
  void run_cases(const std::stop_token& stop);
  void follow();
  void finished(std::size_t index, reports::CaseRecord record);
  reports::Report report() const;
  void print(double seconds, Files files) const;

  const VerifyOptions& options_;
  const Environment& environment_;
  const Words& words_;
  cases::Suite suite_;
  std::vector<std::size_t> places_;  ///< in the suite, of the cases that are still to run
  ChosenDevice device_;
  std::unique_ptr<reports::LockFile> lock_;
  std::unique_ptr<ranks::Messages> ranks_;  ///< of this run, where mpirun has started several
  bool isolated_ = false;
  std::optional<VerifyFiles> files_;
  std::optional<Progress> progress_;
  reports::RunRecord run_;
  std::optional<reports::Ledger> ledger_;
  std::map<std::size_t, reports::CaseRecord> cases_;  ///< by place in the suite
};

}  // namespace quadpair::cli
