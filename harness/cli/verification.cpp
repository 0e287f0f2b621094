#include "harness/cli/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ostream>

#include "harness/cli/failure.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/gpu_lock.hpp"
#include "harness/cli/host.hpp"
#include "harness/cli/interrupt.hpp"
#include "harness/cli/model_ledger.hpp"
#include "harness/cli/ranks.hpp"
#include "harness/cli/results.hpp"
#include "harness/cli/shard.hpp"
#include "harness/cli/words.hpp"

namespace quadpair::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// Times that a case is run on a GPU unless told otherwise: the first run warms up, and the rest cost little
/// beside the reference.
constexpr unsigned gpu_repeats = 3;

/// The device as an option names it.
std::string device_word(const VerifyOptions& options, const reports::DeviceRecord& device) {
  return options.device.empty() ? device.kind : options.device;
}

/// Everything that goes before --filter in a repro command.
std::string repro_command(const VerifyOptions& options, const reports::DeviceRecord& device,
                          const std::string& program) {
  const Selection& s = options.selection;
  std::vector<std::string> words{program, "verify"};
  if (!options.checkpoint.path.empty()) {
    const std::vector<std::string> checkpoint = options.checkpoint.words();
    words.insert(words.end(), checkpoint.begin(), checkpoint.end());
    if (!s.rows.empty()) words.insert(words.end(), {"--m", s.rows});
  } else {
    const std::vector<std::string> cases = suite_words(s);
    words.insert(words.end(), cases.begin(), cases.end());
  }
  words.insert(words.end(),
               {"--device", device_word(options, device), "--seed", std::to_string(options.seed)});
  if (options.isolate) words.emplace_back("--isolate");
  if (!options.sanitize.empty()) words.push_back("--sanitize=" + options.sanitize);
  if (options.repeats != 0) words.insert(words.end(), {"--repeats", std::to_string(options.repeats)});
  return portable_command(words);
}

}  // namespace

void Verification::choose_device() {
  device_ = ranks_ ? environment_.choose_device(device_of_rank(options_.device, *ranks_),
                                                jobs_of_rank(options_.jobs, *ranks_))
                   : environment_.choose_device(options_.device, options_.jobs);
  isolated_ = options_.isolate || device_.isolated;
  if (options_.timeout != 0 && !isolated_ && !ranks_)
    throw Error(Exit::usage, "--timeout: the emulator runs cases in this process; it takes --isolate too");
  if (options_.sanitize == "on" && !device_.make_sanitizing)
    throw Error(Exit::usage, "--sanitize: only the emulator can look for these faults");
}

void Verification::choose_suite() {
  suite_ = options_.checkpoint.path.empty() ? select(options_.selection)
                                            : checkpoint_suite(options_.checkpoint, options_.selection,
                                                               options_.quiet ? nullptr : &environment_.err);
  if (suite_.cases.empty())
    throw Error(Exit::nothing_ran, fmt::format("no case of suite {} matches", suite_.name));
}

void Verification::start() {
  std::vector<NamedFile> inputs{{"--cases", options_.selection.cases_file}};
  std::ranges::copy(options_.checkpoint.files(), std::back_inserter(inputs));
  require_distinct(options_.outputs.files(), inputs);
  choose_device();
  if (!ranks_) lock_ = hold_gpu(device_, environment_.lock_folder, words_);
  choose_suite();
  choose_cases();
}

/// Those of the suite that this run takes and that a former one has not finished.
void Verification::choose_cases() {
  places_ = places_of(suite_, options_.shard);
  files_.emplace(options_.outputs);
  run_ = begin_run(words_, suite_, options_.seed, device_, !options_.selection.model.empty());
  run_.hdf5 = beside(options_.outputs.json, options_.outputs.hdf5);
  run_.shard = options_.shard;
  run_.planned = places_.size();
  run_.options = {{"isolated", isolated_ ? "yes" : "no"},
                  {"repeats", std::to_string(run_options().repeats)},
                  {"sanitize", sanitizes() ? "yes" : "no"},
                  {"save_arrays", options_.outputs.hdf5.empty() ? "never" : options_.outputs.save_arrays}};
  if (!options_.outputs.json.empty()) ledger_ = suite_ledger(suite_, options_.checkpoint, environment_.err);
  const auto is_planned = [&](const reports::CaseRecord& record) {
    return record.index && std::ranges::binary_search(places_, *record.index) &&
           suite_.cases[*record.index].id == record.id;
  };
  for (reports::CaseRecord& record : files_->begin(run_, is_planned))
    cases_.emplace(record.index.value(), std::move(record));
  std::erase_if(places_, [&](std::size_t place) { return cases_.contains(place); });
}

void Verification::finished(std::size_t place, reports::CaseRecord record) {
  record.index = place;
  progress_->finished(record);
  reports::CaseRecord& kept = cases_.emplace(place, std::move(record)).first->second;
  files_->finished(kept);
  kept.arrays.reset();
  if (files_->due()) files_->snapshot(report());
}

reports::Report Verification::report() const {
  reports::Report report{run_};
  for (const auto& [place, record] : cases_) report.cases.push_back(record);
  report.ledger = ledger_;
  return report;
}

void Verification::print(double seconds, Files files) const {
  constexpr std::size_t shown = 20;
  const Style style(environment_.out_terminal && !environment_.no_color);
  std::ostream& out = environment_.out;
  std::size_t bad = 0;
  for (const auto& [place, record] : cases_)
    if (record.status != reports::Status::passed && record.status != reports::Status::skipped &&
        bad++ < shown)
      out << failure_text(record, style) << "\n";
  if (bad > shown) out << fmt::format("... and {} more\n\n", bad - shown);
  const reports::Report whole = report();
  out << results_table(whole, style) << "\n"
      << results_line(whole, seconds, style) << screening_lines(whole) << skipped_reasons(whole);
  if (run_.interrupted)
    out << fmt::format("interrupted by {}: {} of {} cases ran\n", run_.interrupted->signal, cases_.size(),
                       run_.planned);
  for (const std::string& file : {options_.outputs.json, options_.outputs.hdf5, options_.outputs.junit})
    if (files == Files::whole && !file.empty()) out << "report: " << file << "\n";
}

/// A GPU cannot, and a suite that would have it does without.
bool Verification::sanitizes() const {
  return device_.make_sanitizing && (options_.sanitize.empty() ? suite_.sanitize : options_.sanitize == "on");
}

run::Options Verification::run_options() const {
  run::Options options;
  options.make_device = sanitizes() ? device_.make_sanitizing : device_.make;
  options.seed = options_.seed;
  options.jobs = options_.jobs;
  options.repeats = options_.repeats != 0           ? options_.repeats
                    : device_.record.kind == "cuda" ? gpu_repeats
                                                    : 1;
  options.one_at_a_time = device_.one_at_a_time;
  options.why_skipped = device_.why_skipped;
  options.repro_command = repro_command(options_, device_.record, words_.at(0));
  options.find_module = environment_.find_module;
  options.slices = suite_.slices;
  options.save_arrays = options_.outputs.arrays();
  return options;
}

void Verification::run_cases(const std::stop_token& stop) {
  const run::Options options = run_options();
  std::vector<cases::Case> cases;
  for (const std::size_t place : places_) cases.push_back(suite_.cases[place]);
  const auto on_finished = [&](std::size_t index, reports::CaseRecord record) {
    finished(places_[index], std::move(record));
  };
  if (ranks_)
    lead_ranks(*ranks_, device_, cases, options, isolation(), turn_on(device_, environment_, words_),
               on_finished, environment_.err, stop);
  else if (isolated_)
    run::run_cases_isolated(cases, options, isolation(), on_finished, stop);
  else
    run::run_cases(cases, options, on_finished, stop);
}

run::Isolation Verification::isolation() const {
  const std::string device = device_word(options_, device_.record);
  run::Isolation isolation{worker_command(ranks_ ? device_of_rank(device, *ranks_) : device, options_.seed,
                                          ranks_ ? jobs_of_rank(options_.jobs, *ranks_) : options_.jobs,
                                          run_options().repeats, options_.checkpoint, sanitizes())};
  if (options_.timeout != 0) isolation.timeout = std::chrono::seconds(options_.timeout);
  if (!ranks_) return isolation;
  isolation.second_process = isolated_;
  isolation.grace = {};  // who stops a run of many processes does not wait long
  return isolation;
}

/// What all ranks but the first do.
void Verification::follow() {
  choose_device();
  choose_suite();
  serve_ranks(*ranks_, device_, run_options(), isolation(), turn_on(device_, environment_, words_));
}

int Verification::operator()() {
  const Clock::time_point begun = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
  const Interrupt interrupt;  // before anything that starts threads, a GPU's driver too
  ranks_ = join_ranks(environment_);
  if (ranks_ && ranks_->rank() > 0) {
    follow();
    return 0;
  }
  const auto stop_all = ranks_ ? std::make_unique<ranks::StopAll>(*ranks_) : nullptr;
  start();
  if (!options_.quiet)
    environment_.err << fmt::format(
        "{} of suite {} on {}{}{}\n", counted(places_.size()), suite_.name, device_.record.name,
        ranks_ ? fmt::format(", {} ranks", ranks_->size()) : "",
        cases_.empty() ? "" : fmt::format(", after {} of a former run", cases_.size()));
  progress_.emplace(environment_.err, environment_.err_terminal, options_.quiet,
                    Style(environment_.err_terminal && !environment_.no_color), "verify " + suite_.name,
                    places_.size());
  try {
    run_cases(interrupt.token());
    progress_->end();
    run_.interrupted = interrupt.received();
    run_.finished = utc_now();
    files_->finish(report());
  } catch (const Unwritten&) {
    progress_->end();
    print(seconds(), Files::lost);
    throw;
  }
  print(seconds(), Files::whole);
  if (run_.interrupted) return 128 + interrupt.number();
  return static_cast<int>(exit_of(reports::summarize(report().cases)));
}

}  // namespace quadpair::cli
