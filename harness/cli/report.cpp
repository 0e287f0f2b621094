#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <ostream>

#include "harness/cli/command.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/report_inputs.hpp"
#include "harness/cli/run_record.hpp"
#include "reports/atomic_file.hpp"
#include "reports/github.hpp"
#include "reports/html.hpp"
#include "reports/junit.hpp"
#include "reports/markdown.hpp"

namespace quadpair::cli {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> files;
  std::string markdown, html, junit;
  bool github = false;
};

/// Adds the report to what the step has written; of what GitHub would not take it writes nothing and says so.
void add_to_step_summary(const std::string& markdown, const Environment& environment) {
  const fs::path file = environment.step_summary;
  if (file.empty()) return;
  std::error_code none;  // before the first line there is no file
  const std::uintmax_t size = fs::file_size(file, none);
  if ((none ? 0 : size) + markdown.size() > reports::step_summary_limit) {
    environment.err << "GITHUB_STEP_SUMMARY: full; the report is not added\n";
    return;
  }
  std::ofstream out(file, std::ios::app | std::ios::binary);
  if (!(out << markdown).flush())
    throw Error(Exit::usage, fmt::format("GITHUB_STEP_SUMMARY: {} cannot be written", file.string()));
}

int write_report(const ReportOptions& options, const Environment& environment) {
  if (options.markdown.empty() && options.html.empty() && options.junit.empty() && !options.github)
    throw Error(Exit::usage, "nothing to write: give --markdown, --html, --junit or --github");
  std::vector<NamedFile> inputs;
  for (const std::string& input : options.files) inputs.push_back({"an input", input});
  require_distinct({{"--markdown", options.markdown}, {"--html", options.html}, {"--junit", options.junit}},
                   inputs);
  const reports::Collection collection = read_inputs(options.files);
  if (!options.junit.empty() && collection.runs.empty())
    throw Error(Exit::usage, "--junit: no input holds cases");

  const auto write = [&](const char* option, const std::string& file, const auto& make) {
    if (file.empty()) return;
    writable(option, [&] { reports::write_atomically(file, make(collection)); });
    environment.out << "report: " << file << "\n";
  };
  write("--markdown", options.markdown, reports::to_markdown);
  write("--html", options.html, reports::to_html);
  write("--junit", options.junit, reports::to_junit);
  if (options.github) {
    environment.out << reports::github_annotations(collection);
    add_to_step_summary(reports::to_markdown(collection), environment);
  }
  return 0;
}

}  // namespace

Action add_report(CLI::App& program, const Environment& environment) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App& command = *program.add_subcommand("report", "Turn results into pages for people and services");
  command
      .add_option("files", options->files,
                  "reports (verify, bench --json), their samples (bench --hdf5) and ledgers (ledger --json)")
      ->required()
      ->check(not_empty);
  add_output(command, "--markdown", options->markdown, "a text for a pull request, below 65,536 characters");
  add_output(command, "--html", options->html, "one page with tables and charts, which needs nothing else");
  add_output(command, "--junit", options->junit, "JUnit XML for continuous integration services");
  command
      .add_flag("--github", options->github,
                "print annotations for GitHub Actions, and add the text to $GITHUB_STEP_SUMMARY")
      ->disable_flag_override();
  command.footer(
      "Examples:\n"
      "  quadpair report r.json --markdown r.md\n"
      "  quadpair report bench.json bench.h5 ledger.json --html r.html\n"
      "  quadpair report emulator.json h200.json --markdown r.md --html r.html --junit r.xml\n"
      "Several inputs make one report. Whether cases failed does not change the exit status: verify and "
      "bench\n"
      "have said it.");
  return [options, &environment] { return write_report(*options, environment); };
}

}  // namespace quadpair::cli
