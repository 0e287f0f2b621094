#include "reports/merge.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "harness/cli/command.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/host.hpp"
#include "harness/cli/results.hpp"
#include "harness/cli/run_record.hpp"
#include "harness/cli/words.hpp"
#include "reports/atomic_file.hpp"
#include "reports/hdf5.hpp"
#include "reports/hdf5_read.hpp"
#include "reports/json.hpp"
#include "reports/json_read.hpp"
#include "reports/report_file.hpp"

namespace quadpair::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> inputs;
  std::string json, hdf5;
};

/// HDF5 files in the order of the shards they belong to. Throws MergeError.
std::vector<std::string> in_order(const std::vector<std::string>& files,
                                  const std::vector<reports::NamedReport>& shards) {
  std::vector<std::string> ordered(shards.size());
  for (const std::string& file : files) {
    const std::string id = reports::read_run_id(file);
    const auto shard =
        std::ranges::find_if(shards, [&](const reports::NamedReport& s) { return s.report.run.id == id; });
    if (shard == shards.end()) throw reports::MergeError(file + ": of none of these runs");
    std::string& place = ordered[static_cast<std::size_t>(shard - shards.begin())];
    if (!place.empty())
      throw reports::MergeError(fmt::format("{}: of {} again, after {}", file, shard->name, place));
    place = file;
  }
  for (std::size_t i = 0; i < shards.size(); ++i)
    if (ordered[i].empty()) throw reports::MergeError("missing: the HDF5 file of " + shards[i].name);
  return ordered;
}

void merge_hdf5(const std::string& out, const std::vector<std::string>& files, const reports::Report& whole) {
  reports::Hdf5File merged(out);
  for (const std::string& file : files) merged.add_all(file);
  for (const reports::CaseRecord& record : whole.cases)
    if (!merged.has(record.index.value()))
      throw reports::MergeError(fmt::format("{} is in none of the HDF5 files", record.id));
  written(out, [&] {
    merged.set_run(reports::to_json(whole).at("run"));
    merged.publish();
  });
}

void merge(const MergeOptions& options, const Environment& environment, const Words& words) {
  std::vector<NamedFile> inputs;
  for (const std::string& input : options.inputs) inputs.push_back({"an input", input});
  require_distinct({{"--output", options.json}, {"--hdf5", options.hdf5}}, inputs);
  std::vector<std::string> hdf5_files;
  std::vector<reports::NamedReport> shards;
  for (const std::string& file : options.inputs) {
    if (reports::is_hdf5(file))
      hdf5_files.push_back(file);
    else
      shards.push_back({file, reports::read_report(file)});
  }
  if (hdf5_files.empty() != options.hdf5.empty())
    throw Error(Exit::usage, options.hdf5.empty() ? hdf5_files.front() + ": --hdf5 says where HDF5 files go"
                                                  : "--hdf5: none of the inputs is an HDF5 file");
  reports::Report whole = reports::merge(shards);
  whole.run.id = new_run_id();
  whole.run.command = portable_command(words);
  whole.run.hdf5 = beside(options.json, options.hdf5);
  const auto ordered = hdf5_files.empty() ? hdf5_files : in_order(hdf5_files, shards);
  writable("--output", [&] {
    reports::require_writable(options.json);
    if (!options.hdf5.empty()) reports::require_writable(options.hdf5);
  });
  if (!options.hdf5.empty()) merge_hdf5(options.hdf5, ordered, whole);
  written(options.json, [&] { reports::write_report(options.json, whole); });
  environment.out << fmt::format(
      "{} of {}: {} passed{}\n", counted(whole.cases.size()),
      fmt::format("{} shard{}", shards.size(), shards.size() == 1 ? "" : "s"),
      reports::summarize(whole.cases).passed,
      not_passed(reports::summarize(whole.cases), Style(environment.out_terminal && !environment.no_color)));
}

}  // namespace

Action add_merge(CLI::App& program, const Environment& environment, const Words& words) {
  const auto options = std::make_shared<MergeOptions>();
  CLI::App& command = *program.add_subcommand("merge", "Put the shards of a suite together to one report");
  command
      .add_option("inputs", options->inputs,
                  "reports of all shards, and their HDF5 files where these are merged too")
      ->required()
      ->type_name("FILE");
  add_output(command, "-o,--output", options->json, "write the report here");
  command.get_option("--output")->required();
  add_output(command, "--hdf5", options->hdf5, "write the cases of the HDF5 inputs here");
  command.footer(
      "Examples:\n"
      "  quadpair merge shard1.json shard2.json -o all.json\n"
      "  quadpair merge shard*.json shard*.h5 -o all.json --hdf5 all.h5\n"
      "A shard that is missing, there twice, not finished, or of another suite, seed, build, device, model "
      "or\n"
      "options is refused by name (exit status 65). Cases that failed are in the report; merging them is no "
      "failure.");
  return [options, &environment, &words] {
    try {
      merge(*options, environment, words);
    } catch (const reports::MergeError& e) {
      throw Error(Exit::bad_data, e.what());
    } catch (const reports::ReadError& e) {
      throw Error(Exit::bad_data, e.what());
    } catch (const reports::Hdf5Error& e) {
      throw Error(Exit::bad_data, e.what());
    }
    return static_cast<int>(Exit::good);
  };
}

}  // namespace quadpair::cli
