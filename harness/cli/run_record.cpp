#include "harness/cli/run_record.hpp"

#include <set>
#include <span>
#include <vector>

#include "cases/case_json.hpp"
#include "harness/cli/host.hpp"
#include "harness/cli/version.hpp"
#include "harness/cli/words.hpp"
#include "harness/compare/sha256.hpp"

namespace quadpair::cli {
namespace {

/// The models of the cases that the device runs.
std::vector<reports::Arithmetic> arithmetic_of(const cases::Suite& suite, const ChosenDevice& device,
                                               bool model_chosen) {
  const std::string chosen_by = device.gpu ? "capability" : model_chosen ? "option" : "case";
  std::vector<reports::Arithmetic> arithmetic;
  std::set<std::string> seen;
  for (const cases::Case& c : suite.cases)
    if (!device.why_skipped(c) && seen.insert(c.model).second) arithmetic.push_back({c.model, chosen_by});
  return arithmetic;
}

reports::SuiteRecord suite_record(const cases::Suite& suite) {
  std::string text;
  for (const cases::Case& c : suite.cases) text += cases::to_json(c).dump() + "\n";
  return {suite.name, suite.cases.size(), compare::sha256({std::as_bytes(std::span(text))})};
}

}  // namespace

reports::RunRecord begin_run(const Words& words, const cases::Suite& suite, std::uint64_t seed,
                             const ChosenDevice& device, bool model_chosen) {
  reports::RunRecord run;
  run.id = new_run_id();
  run.started = utc_now();
  run.command = portable_command(words);
  run.version = version();
  run.git = revision();
  run.suite = suite_record(suite);
  run.seed = seed;
  run.planned = suite.cases.size();
  run.host = this_host();
  run.device = device.record;
  run.device.arithmetic = arithmetic_of(suite, device, model_chosen);
  return run;
}

}  // namespace quadpair::cli
