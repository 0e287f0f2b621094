#include "harness/cli/verify_files.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>

#include "harness/cli/common_options.hpp"
#include "harness/cli/run_record.hpp"
#include "reports/atomic_file.hpp"
#include "reports/hdf5_read.hpp"
#include "reports/json.hpp"
#include "reports/json_read.hpp"
#include "reports/junit.hpp"
#include "reports/same_run.hpp"

namespace quadpair::cli {
namespace {

using reports::Contents;

Error other_run(const std::string& file, const std::string& why) {
  return Error(Exit::bad_data, fmt::format("--resume: {} is of another run: {}", file, why));
}

/// What `use` gives; what it finds wrong in a file is bad data.
template <class Use>
auto of_files(const Use& use) {
  try {
    return use();
  } catch (const reports::ReadError& e) {
    throw Error(Exit::bad_data, fmt::format("--resume: {}", e.what()));
  } catch (const reports::Hdf5Error& e) {
    throw Error(Exit::bad_data, fmt::format("--resume: {}", e.what()));
  }
}

/// A new one.
std::unique_ptr<reports::Hdf5File> open_hdf5(const std::string& file) {
  try {
    return std::make_unique<reports::Hdf5File>(file);
  } catch (const reports::Hdf5Error& e) {
    throw Error(Exit::usage, fmt::format("--hdf5: {}", e.what()));
  }
}

}  // namespace

run::SaveArrays VerifyOutputs::arrays() const {
  if (hdf5.empty()) return run::SaveArrays::never;
  return std::ranges::find(run::save_arrays_names, save_arrays,
                           &std::pair<const char*, run::SaveArrays>::first)
      ->second;
}

std::vector<NamedFile> VerifyOutputs::files() const {
  const auto journal = [](const std::string& file) { return file.empty() ? "" : file + ".journal"; };
  return {{"--json", json},
          {"the journal of --json", journal(json)},
          {"--hdf5", hdf5},
          {"the journal of --hdf5", journal(hdf5)},
          {"--junit", junit}};
}

void add_outputs(CLI::App& command, VerifyOutputs& outputs) {
  add_output(command, "--json", outputs.json, "write the report here, and F.journal beside it");
  add_output(command, "--hdf5", outputs.hdf5, "write cases, and arrays, to this HDF5 file");
  add_output(command, "--junit", outputs.junit, "write a JUnit report here");
  std::vector<std::string> names;
  for (const auto& [name, save] : run::save_arrays_names) names.emplace_back(name);
  command.add_option("--save-arrays", outputs.save_arrays, "of which cases --hdf5 keeps inputs and outputs")
      ->check(CLI::IsMember(names))
      ->needs(command.get_option("--hdf5"))
      ->capture_default_str();
  command
      .add_flag("--resume", outputs.resume,
                "go on where the run that wrote --json F stopped; finished cases are not repeated")
      ->disable_flag_override()
      ->needs(command.get_option("--json"));
}

VerifyFiles::VerifyFiles(const VerifyOutputs& outputs) : outputs_(outputs) {
  const Contents contents = outputs.resume ? Contents::kept : Contents::emptied;
  if (!outputs.json.empty()) writable("--json", [&] { json_.emplace(outputs.json, contents); });
  if (!outputs.hdf5.empty())
    writable("--hdf5", [&] {
      reports::require_writable(outputs.hdf5);
      if (outputs.arrays() != run::SaveArrays::never) arrays_.emplace(outputs.hdf5, contents);
    });
  if (!outputs.junit.empty()) writable("--junit", [&] { reports::require_writable(outputs.junit); });
}

std::optional<reports::Report> VerifyFiles::former(const reports::RunRecord& run) {
  if (!outputs_.resume) return std::nullopt;
  auto report = of_files([&] { return json_->resume(); });
  if (!report) return std::nullopt;
  if (const auto why = reports::difference(report->run, run)) throw other_run(outputs_.json, *why);
  const reports::Shard found = report->run.shard;
  if (found != run.shard)
    throw other_run(outputs_.json, fmt::format("shard: {}/{}, not {}/{}", found.index, found.of,
                                               run.shard.index, run.shard.of));
  return report;
}

void VerifyFiles::begin_hdf5(const reports::RunRecord& run,
                             const std::vector<reports::CaseRecord>& finished) {
  if (finished.empty()) {
    if (arrays_) written(outputs_.hdf5, [&] { arrays_->clear(); });
    hdf5_ = open_hdf5(outputs_.hdf5);
    return;
  }
  if (!std::filesystem::exists(outputs_.hdf5))
    throw other_run(outputs_.json, outputs_.hdf5 + " is not there");
  if (reports::read_run_id(outputs_.hdf5) != run.id)
    throw other_run(outputs_.hdf5, "not that of " + outputs_.json);
  hdf5_ = std::make_unique<reports::Hdf5File>(outputs_.hdf5, true);
  const auto arrays = arrays_ ? arrays_->entries() : std::map<std::uint64_t, reports::CaseArrays>{};
  for (const reports::CaseRecord& record : finished) {
    if (hdf5_->has(record.index.value())) continue;
    reports::Hdf5Case kept = reports::hdf5_case(record);
    if (const auto found = arrays.find(*record.index); found != arrays.end()) kept.arrays = found->second;
    written(outputs_.hdf5, [&] { hdf5_->add(kept); });
  }
}

std::vector<reports::CaseRecord> VerifyFiles::begin(reports::RunRecord& run, const IsPlanned& is_planned) {
  std::vector<reports::CaseRecord> finished;
  if (auto report = former(run)) {
    for (const reports::CaseRecord& record : report->cases)
      if (!is_planned(record))
        throw other_run(outputs_.json,
                        fmt::format("{} is not the case at its place in the suite", record.id));
    run = std::move(report->run);
    run.finished.clear();
    run.interrupted.reset();
    finished = std::move(report->cases);
  }
  if (!outputs_.hdf5.empty()) of_files([&] { begin_hdf5(run, finished); });
  snapshot({run, finished});
  return finished;
}

void VerifyFiles::finished(const reports::CaseRecord& record) {
  if (arrays_ && record.arrays)
    written(outputs_.hdf5, [&] { arrays_->add(record.index.value(), *record.arrays); });
  if (json_) written(outputs_.json, [&] { json_->journal(record); });
  if (!hdf5_) return;
  reports::Hdf5Case kept = reports::hdf5_case(record);
  if (record.arrays) kept.arrays = *record.arrays;
  written(outputs_.hdf5, [&] { hdf5_->add(kept); });
}

bool VerifyFiles::due() const {
  return Clock::now() - written_ > pause_;
}

void VerifyFiles::snapshot(const reports::Report& report) {
  const Clock::time_point begun = Clock::now();
  if (json_) written(outputs_.json, [&] { json_->snapshot(report); });
  if (hdf5_)
    written(outputs_.hdf5, [&] {
      hdf5_->set_run(reports::to_json(report).at("run"));
      hdf5_->publish();
      if (arrays_) arrays_->clear();
    });
  written_ = Clock::now();
  constexpr int share = 10;  // snapshots take at most about a tenth of a run
  pause_ = std::max<Clock::duration>(std::chrono::seconds(3), share * (written_ - begun));
}

void VerifyFiles::finish(const reports::Report& report) {
  snapshot(report);
  if (!outputs_.junit.empty())
    written(outputs_.junit, [&] {
      reports::write_atomically(outputs_.junit, reports::to_junit({{{"", report}}, {}, {}}));
    });
}

}  // namespace quadpair::cli
