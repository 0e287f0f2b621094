#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <ostream>

#include "harness/cli/checkpoint_options.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/devices.hpp"
#include "harness/cli/failure.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/gpu_lock.hpp"
#include "harness/cli/host.hpp"
#include "harness/cli/interrupt.hpp"
#include "harness/cli/progress.hpp"
#include "harness/cli/results.hpp"
#include "harness/cli/run_record.hpp"
#include "harness/cli/select.hpp"
#include "harness/cli/words.hpp"
#include "harness/run/isolated_runner.hpp"
#include "reports/atomic_file.hpp"
#include "reports/junit.hpp"
#include "reports/report_file.hpp"

namespace quadpair::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct VerifyOptions {
  Selection selection;
  CheckpointOptions checkpoint;
  std::string device;
  std::uint64_t seed = 1;
  unsigned jobs = 0, repeats = 0;  ///< repeats 0: not given
  unsigned timeout = 0;            ///< seconds; 0: not given
  bool isolate = false;
  std::string json, junit;
  bool quiet = false;
};

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
  if (options.repeats != 0) words.insert(words.end(), {"--repeats", std::to_string(options.repeats)});
  return portable_command(words);
}

class Verification {
 public:
  Verification(const VerifyOptions& options, const Environment& environment, const Words& words)
      : options_(options), environment_(environment), words_(words) {}

  int operator()();

 private:
  void start();
  run::Options run_options() const;
  void run_cases(const std::stop_token& stop);
  void finished(std::size_t index, reports::CaseRecord record);
  reports::Report report() const;
  void write();
  void print(double seconds) const;

  const VerifyOptions& options_;
  const Environment& environment_;
  const Words& words_;
  cases::Suite suite_;
  ChosenDevice device_;
  std::unique_ptr<reports::LockFile> lock_;
  bool isolated_ = false;
  std::optional<reports::ReportFile> file_;
  std::optional<Progress> progress_;
  reports::RunRecord run_;
  std::map<std::size_t, reports::CaseRecord> cases_;
  Clock::time_point snapshot_ = Clock::now();
};

void Verification::start() {
  require_distinct({{"--cases", options_.selection.cases_file},
                    {"--json", options_.json},
                    {"the journal of --json", options_.json.empty() ? "" : options_.json + ".journal"},
                    {"--junit", options_.junit}});
  device_ = environment_.choose_device(options_.device, options_.jobs);
  isolated_ = options_.isolate || device_.record.kind == "cuda";
  if (options_.timeout != 0 && !isolated_)
    throw Error(Exit::usage, "--timeout: the emulator runs cases in this process; it takes --isolate too");
  lock_ = hold_gpu(device_, environment_.lock_folder, words_);
  suite_ = options_.checkpoint.path.empty() ? select(options_.selection)
                                            : checkpoint_suite(options_.checkpoint, options_.selection,
                                                               options_.quiet ? nullptr : &environment_.err);
  if (suite_.cases.empty())
    throw Error(Exit::nothing_ran, fmt::format("no case of suite {} matches", suite_.name));
  if (!options_.json.empty())
    writable("--json", [&] {
      file_.emplace(options_.json);
      return 0;
    });
  if (!options_.junit.empty())
    writable("--junit", [&] {
      reports::require_writable(options_.junit);
      return 0;
    });

  run_ = begin_run(words_, suite_, options_.seed, device_, !options_.selection.model.empty());
  if (file_) file_->snapshot(report());  // from now on the file tells of this run, however it ends
}

void Verification::finished(std::size_t index, reports::CaseRecord record) {
  progress_->finished(record);
  if (file_) file_->journal(record);
  cases_.emplace(index, std::move(record));
  constexpr auto often = std::chrono::seconds(5);
  if (file_ && Clock::now() - snapshot_ > often) {
    file_->snapshot(report());
    snapshot_ = Clock::now();
  }
}

reports::Report Verification::report() const {
  reports::Report report{run_};
  for (const auto& [index, record] : cases_) report.cases.push_back(record);
  return report;
}

void Verification::write() {
  run_.finished = utc_now();
  if (file_) file_->snapshot(report());
  if (!options_.junit.empty()) reports::write_atomically(options_.junit, reports::to_junit(report()));
}

void Verification::print(double seconds) const {
  constexpr std::size_t shown = 20;
  const Style style(environment_.out_terminal && !environment_.no_color);
  std::ostream& out = environment_.out;
  std::size_t bad = 0;
  for (const auto& [index, record] : cases_)
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
  if (file_) out << "report: " << options_.json << "\n";
  if (!options_.junit.empty()) out << "report: " << options_.junit << "\n";
}

run::Options Verification::run_options() const {
  run::Options options;
  options.make_device = device_.make;
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
  return options;
}

void Verification::run_cases(const std::stop_token& stop) {
  const run::Options options = run_options();
  const auto on_finished = [&](std::size_t index, reports::CaseRecord record) {
    finished(index, std::move(record));
  };
  if (!isolated_) return run::run_cases(suite_.cases, options, on_finished, stop);
  run::Isolation isolation{worker_command(device_word(options_, device_.record), options.seed, options.jobs,
                                          options.repeats, options_.checkpoint)};
  if (options_.timeout != 0) isolation.timeout = std::chrono::seconds(options_.timeout);
  run::run_cases_isolated(suite_.cases, options, isolation, on_finished, stop);
}

int Verification::operator()() {
  const Clock::time_point begun = Clock::now();
  const Interrupt interrupt;  // before anything that starts threads, a GPU's driver too
  start();
  if (!options_.quiet)
    environment_.err << fmt::format("{} of suite {} on {}\n", counted(suite_.cases.size()), suite_.name,
                                    device_.record.name);
  progress_.emplace(environment_.err, environment_.err_terminal, options_.quiet,
                    Style(environment_.err_terminal && !environment_.no_color), "verify " + suite_.name,
                    suite_.cases.size());
  run_cases(interrupt.token());
  progress_->end();
  run_.interrupted = interrupt.received();
  write();
  print(std::chrono::duration<double>(Clock::now() - begun).count());
  if (run_.interrupted) return 128 + interrupt.number();
  return static_cast<int>(exit_of(reports::summarize(report().cases)));
}

}  // namespace

Action add_verify(CLI::App& program, const Environment& environment, const Words& words) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App& command = *program.add_subcommand(
      "verify", "Run a suite: device against reference, bit for bit, eager and replayed");
  add_selection(command, options->selection);
  add_checkpoint_shards(command, options->checkpoint)
      ->excludes(command.get_option("--suite"))
      ->excludes(command.get_option("--cases"));
  add_device(command, options->device);
  add_seed(command, options->seed, "of made-up weights and activations");
  command.add_option("--jobs", options->jobs, "threads, at most one a core (0: one a core)")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  constexpr unsigned most = 1'000'000;
  command
      .add_option("--repeats", options->repeats,
                  "run each case N times, in each of two processes where cases run in workers; outputs must\n"
                  "stay the same (default: 3 on a GPU, 1 on the emulator)")
      ->check(CLI::Range(1u, most))
      ->type_name("N");
  command.add_flag(
      "--isolate", options->isolate,
      "run each case in a worker process, as always on a GPU: a crash or hang costs that case only");
  command
      .add_option("--timeout", options->timeout,
                  "seconds that a case in a worker may take (default: 120, and more for large cases)")
      ->check(CLI::Range(1u, most))
      ->type_name("SECONDS");
  add_output(command, "--json", options->json, "write the report here, and F.journal beside it");
  add_output(command, "--junit", options->junit, "write a JUnit report here");
  add_quiet(command, options->quiet);
  command.footer(
      "Examples:\n"
      "  quadpair verify --suite default --device emulator --json r.json\n"
      "  quadpair verify --suite production --m 8\n"
      "  quadpair verify --checkpoint models/llama --tp 4 --layers 0,3 --ranks 0,2\n"
      "  quadpair verify --filter 'minilm.*/sm90/' --m 1,16-18\n"
      "Each failure prints the command that repeats it alone.");
  return [options, &environment, &words] { return Verification(*options, environment, words)(); };
}

}  // namespace quadpair::cli
