#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <ostream>
#include <set>

#include "cases/survivors.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/interrupt.hpp"
#include "harness/cli/json_file.hpp"
#include "harness/cli/select.hpp"
#include "harness/cli/table.hpp"
#include "harness/mutate/campaign.hpp"
#include "harness/mutate/instruction_text.hpp"

namespace quadpair::cli {
namespace {

using reports::Json;

struct MutateOptions {
  std::string kernel, target = "sm70", cases_file, filter, json;
  std::vector<std::string> suites;
  std::uint64_t seed = 1;
  std::size_t sample = 0;
  unsigned jobs = 0;
  bool quiet = false;
};

/// The suites that run a kernel of this name.
std::vector<std::string> suites_of(std::string_view kernel) {
  const std::string_view family = kernel.substr(0, kernel.find('/'));
  if (family == "qpn8") return {"qpn8"};
  if (family == "wide" || family == "dense") return {"edges", "shared-codes-real", "compact-scales-real"};
  return {"default", "edges"};
}

/// A survivor with the reason that the committed list has for it.
struct Judged {
  mutate::Mutant mutant;
  std::string before, after;  ///< normalised
  std::optional<cases::ClassifiedSurvivors::Class> reason;
};

std::vector<Judged> judged(const mutate::Findings& findings, const MutateOptions& options,
                           const cases::ClassifiedSurvivors& classified) {
  std::vector<Judged> all;
  for (const mutate::Mutant& m : findings.survivors) {
    Judged one{m, mutate::normalised(m.before), mutate::normalised(m.after), std::nullopt};
    one.reason = classified.classify({options.kernel, options.target, m.entry, m.source, m.caller,
                                      std::string(to_string(m.kind)), one.before, one.after});
    all.push_back(std::move(one));
  }
  return all;
}

Json survivor_json(const Judged& one) {
  return {{"entry", one.mutant.entry},
          {"ptx_line", one.mutant.ptx_line},
          {"source", one.mutant.source},
          {"caller", one.mutant.caller},
          {"kind", to_string(one.mutant.kind)},
          {"instruction", one.before},
          {"becomes", one.after},
          {"class", one.reason ? Json(one.reason->number) : Json(nullptr)},
          {"reason", one.reason ? Json(one.reason->reason) : Json(nullptr)}};
}

/// What the list says of a kernel all of whose mutants have run by the suites that it is for.
std::vector<std::string> stale(const std::vector<Judged>& survivors, const MutateOptions& options,
                               const cases::ClassifiedSurvivors& classified) {
  if (options.sample != 0 || !options.cases_file.empty() || !options.filter.empty() ||
      options.suites != suites_of(options.kernel))
    return {};
  std::map<std::size_t, std::uint64_t> found;
  for (const Judged& one : survivors)
    if (one.reason) ++found[one.reason->number];
  return classified.stale(options.kernel, options.target, found);
}

Json to_json(const mutate::Findings& found, const std::vector<Judged>& survivors, std::size_t explained,
             const std::vector<std::string>& stale, const MutateOptions& options, double seconds,
             bool interrupted) {
  Json kinds = Json::object(), list = Json::array(), proved = Json::object();
  for (const auto& [proof, count] : found.proved) proved[std::string(to_string(proof))] = count;
  for (const auto& [kind, tally] : found.by_kind)
    kinds[std::string(to_string(kind))] = {{"mutants", tally.mutants}, {"killed", tally.killed}};
  for (const Judged& one : survivors) list.push_back(survivor_json(one));
  return {{"schema", "quadpair.mutation/1"},
          {"kernel", options.kernel},
          {"target", options.target},
          {"suites", options.cases_file.empty() ? Json(options.suites) : Json::array()},
          {"seed", options.seed},
          {"sample", options.sample},
          {"mutants", found.all.mutants},
          {"killed", found.all.killed},
          {"survived", survivors.size()},
          {"explained", explained},
          {"proved", proved},
          {"stale", stale},
          {"seconds", seconds},
          {"interrupted", interrupted},
          {"cases", found.cases},
          {"kinds", kinds},
          {"noticed", found.noticed},
          {"killed_by", found.killed_by},
          {"never_run", found.never_run},
          {"survivors", list}};
}

/// Survivors that differ in the entry and in numbers of registers are shown as one.
std::string unexplained_text(const std::vector<Judged>& survivors) {
  std::map<std::string, std::pair<std::size_t, std::string>> alike;
  for (const Judged& one : survivors) {
    if (one.reason) continue;
    const mutate::Mutant& m = one.mutant;
    auto& [count, where] = alike[fmt::format("{} ({})\n    {}\n -> {}\n", m.source, to_string(m.kind),
                                             one.before, one.after.empty() ? "left out" : one.after)];
    if (count++ == 0) where = fmt::format("{} PTX line {}: {} -> {}", m.entry, m.ptx_line, m.before, m.after);
  }
  std::string text;
  for (const auto& [what, count_and_where] : alike)
    text += fmt::format("{}    {} times, first in {}\n", what, count_and_where.first, count_and_where.second);
  return text;
}

std::string text_of(const mutate::Findings& found, const std::vector<Judged>& survivors,
                    std::size_t explained, const std::vector<std::string>& stale, const Style& style) {
  Table table({"damage", "mutants", "killed", "survived"}, 1);
  for (const auto& [kind, tally] : found.by_kind)
    table.add({{std::string(to_string(kind))},
               {std::to_string(tally.mutants)},
               {std::to_string(tally.killed)},
               {std::to_string(tally.mutants - tally.killed)}});
  std::string text = table.text(style) + "\n" + unexplained_text(survivors);
  if (!found.never_run.empty())
    text += fmt::format("entries that no case runs: {}\n", fmt::join(found.never_run, ", "));
  std::vector<std::string> noticed;
  for (const auto& [how, count] : found.noticed) noticed.push_back(fmt::format("{} by {}", count, how));
  if (!found.proved.empty()) text += "proved to compute the same:\n";
  for (const auto& [proof, count] : found.proved)
    text += fmt::format("{:>8}  {}\n", count, explanation(proof));
  for (const std::string& line : stale)
    text += style(Tint::red, "out of date in cases/mutants/survivors.json") + " " + line + "\n";
  const std::size_t unexplained = survivors.size() - explained;
  return text + fmt::format("{} mutants: {} killed ({}), {} survived, {} of them explained{}\n",
                            found.all.mutants, found.all.killed, fmt::join(noticed, ", "), survivors.size(),
                            explained,
                            unexplained == 0 ? "" : style(Tint::red, fmt::format(", {} not", unexplained)));
}

std::vector<cases::Case> cases_of(const MutateOptions& options) {
  std::vector<cases::Case> all;
  std::set<std::string> ids;
  const auto take = [&](Selection selection) {
    selection.filter = options.filter;
    for (cases::Case& c : select(selection).cases)
      if (ids.insert(c.id).second) all.push_back(std::move(c));
  };
  Selection selection;
  selection.cases_file = options.cases_file;
  if (!options.cases_file.empty()) take(selection);
  if (options.cases_file.empty())
    for (const std::string& suite : options.suites) {
      selection.suite = suite;
      take(selection);
    }
  return all;
}

int mutate_kernel(const MutateOptions& options, const Environment& environment) {
  const auto begun = std::chrono::steady_clock::now();
  const Interrupt interrupt;
  mutate::Request request;
  request.module = &environment.find_module(options.kernel, target_from_string(options.target).value());
  request.cases = cases_of(options);
  request.seed = options.seed;
  request.sample = options.sample;
  request.jobs = options.jobs;
  std::size_t tenth = 0;
  const mutate::Progress progress = [&](std::size_t done, std::size_t of) {
    if (options.quiet || done * 10 / of == tenth) return;
    tenth = done * 10 / of;
    environment.err << fmt::format("mutate {}: {} of {}\n", options.kernel, done, of) << std::flush;
  };
  const mutate::Findings found = mutate::campaign(request, progress, interrupt.token());
  if (found.all.mutants == 0)
    throw Error(
        Exit::nothing_ran,
        fmt::format("no case that is chosen launches {}@{}; kernels that pack, and those of LM heads, are "
                    "never damaged",
                    options.kernel, options.target));
  const cases::ClassifiedSurvivors classified;
  const std::vector<Judged> survivors = judged(found, options, classified);
  const auto explained = static_cast<std::size_t>(
      std::ranges::count_if(survivors, [](const Judged& one) { return one.reason.has_value(); }));
  const std::vector<std::string> out_of_date =
      interrupt.received() ? std::vector<std::string>{} : stale(survivors, options, classified);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  environment.out << fmt::format("{} for {}, {} cases, {:.1f} s\n", options.kernel, options.target,
                                 found.cases, seconds)
                  << text_of(found, survivors, explained, out_of_date,
                             Style(environment.out_terminal && !environment.no_color));
  write_json(options.json, to_json(found, survivors, explained, out_of_date, options, seconds,
                                   interrupt.received().has_value()));
  if (interrupt.received()) return 128 + interrupt.number();
  return static_cast<int>(explained == survivors.size() && out_of_date.empty() ? Exit::good : Exit::wrong);
}

}  // namespace

Action add_mutate(CLI::App& program, const Environment& environment) {
  const auto options = std::make_shared<MutateOptions>();
  CLI::App& command = *program.add_subcommand(
      "mutate",
      "Damage a compiled kernel one instruction at a time; count the damages that the cases notice");
  std::set<std::string> kernels;
  for (const Module& module : modules()) kernels.emplace(module.name);
  command.add_option("KERNEL", options->kernel, "e.g. qpn2/gemm: see list kernels")
      ->required()
      ->check(CLI::IsMember(kernels));
  command.add_option("--target", options->target, "whose code is damaged")
      ->check(CLI::IsMember({"sm70", "sm80", "sm90"}))
      ->capture_default_str();
  CLI::Option* suites =
      command
          .add_option("--suite", options->suites,
                      "built-in suites, joined by commas (default: those that are for the kernel)")
          ->check(CLI::IsMember(cases::suite_names()))
          ->delimiter(',');
  command.add_option("--cases", options->cases_file, "a suite from your own JSON file")
      ->check(not_empty)
      ->excludes(suites)
      ->type_name("FILE");
  add_filter(command, options->filter);
  command.add_option("--sample", options->sample, "only N mutants, drawn at random by the seed")
      ->check(CLI::Range(1, 1'000'000'000))
      ->type_name("N");
  add_seed(command, options->seed, "of weights, activations and the sample");
  command.add_option("--jobs", options->jobs, "threads, at most one a core (0: one a core)")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  add_output(command, "--json", options->json, "write the result here, every survivor in it");
  add_quiet(command, options->quiet);
  command.footer(
      "A mutant is killed when a case that runs it faults, runs too long, gives other bits than the "
      "reference,\n"
      "or writes where it must not. Survivors that the committed list explains "
      "(cases/mutants/survivors.json)\n"
      "are counted apart, and those that are proved to compute the same are not run; exit status 1 when "
      "there are\n"
      "others, or when the list says what is no longer so.\n"
      "Examples:\n"
      "  quadpair mutate qpn2/gemm\n"
      "  quadpair mutate qpn2/gated --target sm90 --json m.json\n"
      "  quadpair mutate wide/tm_gemm --sample 2000");
  return [options, &environment] {
    require_distinct({{"--json", options->json}}, {{"--cases", options->cases_file}});
    if (options->suites.empty()) options->suites = suites_of(options->kernel);
    return mutate_kernel(*options, environment);
  };
}

}  // namespace quadpair::cli
