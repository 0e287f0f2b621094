#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "cases/error.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/devices.hpp"
#include "harness/cli/explanation.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/json_file.hpp"
#include "harness/cli/select.hpp"
#include "harness/run/explain/explain.hpp"
#include "kernels/common/error.hpp"

namespace quadpair::cli {
namespace {

struct ExplainOptions {
  std::string id, suite, cases_file, json;
  std::vector<std::uint32_t> at;
  std::uint64_t seed = 1;
  bool all = false;
};

/// The case of that id in the suite or file that was named, else in the first built-in suite that has it.
cases::Case find_case(const ExplainOptions& options) {
  std::vector<std::string> names = cases::suite_names();
  if (!options.suite.empty()) names = {options.suite};
  if (!options.cases_file.empty()) names = {""};
  for (const std::string& name : names) {
    const cases::Suite suite =
        name.empty() ? cases::load_suite_file(options.cases_file) : cases::load_suite(name);
    const auto found = std::ranges::find(suite.cases, options.id, &cases::Case::id);
    if (found != suite.cases.end()) return *found;
  }
  throw Error(Exit::nothing_ran,
              fmt::format("no case {} in {}", options.id,
                          !options.cases_file.empty() ? options.cases_file
                          : !options.suite.empty()    ? fmt::format("suite {}", options.suite)
                                                      : "any built-in suite; list cases has their ids"));
}

int explain(const ExplainOptions& options, const Environment& environment) {
  const cases::Case c = find_case(options);
  run::Options run;
  run.make_device = environment.choose_device("emulator", 1).make;
  run.seed = options.seed;
  run.find_module = environment.find_module;
  run::Resources resources(run);
  run::Explanation explanation;
  try {
    explanation = run::explain(c, options.at.at(0), options.at.at(1), run, resources);
  } catch (const Refused& e) {
    throw Error(Exit::bad_data, e.what());
  } catch (const RangeError& e) {
    throw Error(Exit::bad_data, e.what());
  }
  environment.out << explanation_text(explanation, options.all,
                                      Style(environment.out_terminal && !environment.no_color));
  write_json(options.json, explanation_json(explanation, options.seed));
  return static_cast<int>(explanation.difference ? Exit::wrong : Exit::good);
}

}  // namespace

Action add_explain(CLI::App& program, const Environment& environment) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App& command = *program.add_subcommand(
      "explain", "Show how one output element came about, step by step, device against reference");
  command.add_option("CASE", options->id, "the case's id, as reports and list cases have it")->required();
  command.add_option("--at", options->at, "row and column of the element, from 0")
      ->required()
      ->delimiter(',')
      ->expected(2)
      ->type_name("M,N");
  CLI::Option* suite =
      command.add_option("--suite", options->suite, "the suite that has the case (default: any)")
          ->check(CLI::IsMember(cases::suite_names()));
  command.add_option("--cases", options->cases_file, "your own JSON file that has the case")
      ->check(not_empty)
      ->excludes(suite)
      ->type_name("FILE");
  add_seed(command, options->seed, "of made-up weights and activations");
  command.add_flag("--all", options->all, "show every step, not just those around the first difference")
      ->disable_flag_override();
  add_output(command, "--json", options->json, "write all of it here");
  command.footer(
      "The kernel runs on the emulator, with the case's first inputs. The first place where it parts from "
      "the\n"
      "reference is marked, with the instruction that made it; exit status 1 then.\n"
      "Examples:\n"
      "  quadpair explain qpn2_gemm/minilm.0.o/m17/dual/s8.c2/sm70/volta/real --at 3,100\n"
      "  quadpair explain qpn2_gated/edge.gated_160/m8/dual/s8.c2/sm90/hopper/heavy --at 0,79 --json e.json");
  return [options, &environment] {
    require_distinct({{"--json", options->json}}, {{"--cases", options->cases_file}});
    return explain(*options, environment);
  };
}

}  // namespace quadpair::cli
