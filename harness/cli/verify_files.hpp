// The files that a verification leaves, and goes on with.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/files.hpp"
#include "harness/run/options.hpp"
#include "reports/arrays_journal.hpp"
#include "reports/hdf5.hpp"
#include "reports/report_file.hpp"

namespace CLI {
class App;
}

namespace quadpair::cli {

struct VerifyOutputs {
  std::string json, hdf5, junit;
  std::string save_arrays = "failures";  ///< in the HDF5 file: a name in run::save_arrays_names
  bool resume = false;

  /// What a record has to keep.
  run::SaveArrays arrays() const;
  /// Every file that is written.
  std::vector<NamedFile> files() const;
};

/// Adds --json, --hdf5, --junit, --save-arrays and --resume.
void add_outputs(CLI::App& command, VerifyOutputs& outputs);

/// A member that cannot write throws Unwritten.
class VerifyFiles {
 public:
  /// Takes hold of the files; those of another run are as they were. Throws Error(usage).
  /// Whether a case stands in the suite where its record says.
  using IsPlanned = std::function<bool(const reports::CaseRecord&)>;

  explicit VerifyFiles(const VerifyOutputs& outputs);

  /// The cases that a former run finished, where it is to be resumed and there was one; `run` then becomes
  /// that one's. Writes what is known now, so that the files tell of this run however it ends. Throws
  /// Error(bad_data) where the files are of another run, are none that a run writes, or have a case that
  /// `is_planned` does not know.
  std::vector<reports::CaseRecord> begin(reports::RunRecord& run, const IsPlanned& is_planned);

  /// Puts a finished case, its place in the suite set, on the disk.
  void finished(const reports::CaseRecord& record);

  /// Whether the snapshots are old enough to be written anew: a few seconds, and more where that takes long.
  bool due() const;

  void snapshot(const reports::Report& report);

  /// The last snapshots, and what is written only at the end.
  void finish(const reports::Report& report);

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<reports::Report> former(const reports::RunRecord& run);
  void begin_hdf5(const reports::RunRecord& run, const std::vector<reports::CaseRecord>& finished);

  const VerifyOutputs& outputs_;
  std::optional<reports::ReportFile> json_;
  std::optional<reports::ArraysJournal> arrays_;
  std::unique_ptr<reports::Hdf5File> hdf5_;
  Clock::time_point written_ = Clock::now();
  Clock::duration pause_{};
};

}  // namespace quadpair::cli
