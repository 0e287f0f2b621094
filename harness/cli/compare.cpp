#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "harness/cli/command.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/compare_time.hpp"
#include "harness/cli/comparison_table.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/json_file.hpp"
#include "harness/cli/words.hpp"
#include "reports/compare/compare.hpp"
#include "reports/compare/comparison_json.hpp"

namespace quadpair::cli {
namespace {

struct CompareOptions {
  std::string base, now, json;
  bool across = false;
};

Exit exit_of(const reports::Comparison& comparison) {
  using enum reports::Outcome;
  switch (outcome_of(comparison)) {
    case wrong: return Exit::wrong;
    case nothing: return Exit::nothing_ran;
    case costlier: return Exit::costlier;
    case undecided: return Exit::undecided;
    case good: break;
  }
  return Exit::good;
}

reports::Comparison compare(const CompareOptions& options, std::ostream& err) {
  const TimedReport base = read_timed_report(options.base), now = read_timed_report(options.now);
  for (const auto& [file, report] : {std::pair{options.base, &base}, {options.now, &now}})
    if (!report->why_no_samples.empty())
      err << fmt::format("{}: {}: times are judged by the intervals in the report\n", file,
                         report->why_no_samples);
  try {
    return reports::compare(base.report, now.report, options.across, judge_time(base, now));
  } catch (const reports::NotAlike& e) {
    throw Error(Exit::bad_data,
                fmt::format("the runs are not alike: {} (--across compares them all the same)", e.what()));
  }
}

int run_compare(const CompareOptions& options, const Environment& environment) {
  require_distinct({{"--json", options.json}}, {{"BASE", options.base}, {"NEW", options.now}});
  const reports::Comparison comparison = compare(options, environment.err);
  const int exit = static_cast<int>(exit_of(comparison));
  const Style style(environment.out_terminal && !environment.no_color);
  environment.out << comparison_text(comparison, style);
  write_json(options.json,
             to_json(comparison, portable_path(options.base), portable_path(options.now), exit));
  return exit;
}

}  // namespace

Action add_compare(CLI::App& program, const Environment& environment) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App& command = *program.add_subcommand(
      "compare", "What changed from one report to another: bits, speed, counted cost, storage");
  command.add_option("BASE", options->base, "the report to start from")->required()->check(not_empty);
  command.add_option("NEW", options->now, "the report to judge")->required()->check(not_empty);
  command
      .add_flag("--across", options->across,
                "compare runs of other devices, models, seeds, suites or weights too, and flag each line")
      ->disable_flag_override();
  add_output(command, "--json", options->json, "write the comparison here too");
  command.footer(
      "Times are judged by raw samples where either report's HDF5 file lies where its run wrote it, "
      "relative\n"
      "to the report; else by the intervals in the reports. Both through the ratio to the same control.\n"
      "Examples:\n"
      "  quadpair compare reports/baselines/h200/bench-stream.json new.json\n"
      "  quadpair compare emulator.json gpu.json --across --json changes.json\n"
      "Exit status: 0 nothing to worry about; 1 other bits by the same code, or wrong results; 4 nothing in\n"
      "common; 2 slower or costlier; 3 ambiguous or newly mistrusted; 65 runs that are not alike. The worst\n"
      "of 1, 4, 2, 3 wins, in that order.");
  return [options, &environment] { return run_compare(*options, environment); };
}

}  // namespace quadpair::cli
