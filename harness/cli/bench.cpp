#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "harness/bench/case_bench.hpp"
#include "harness/bench/limit.hpp"
#include "harness/bench/weighted.hpp"
#include "harness/cli/bench_results.hpp"
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
#include "reports/hdf5.hpp"
#include "reports/json.hpp"
#include "reports/report_file.hpp"

namespace quadpair::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct BenchOptions {
  Selection selection;
  std::string device;
  std::string control = "stream";
  bool early_start = false;
  bool hot = false;
  std::uint32_t working_set = 0;
  std::optional<double> max_ratio;
  std::uint64_t seed = 1;
  std::string json, hdf5;
  bool quiet = false;
};

reports::Hdf5Case samples_of(const std::string& id, const std::vector<timing::Sample>& samples) {
  reports::Hdf5Case record{id};
  for (const timing::Sample& s : samples)
    record.samples.push_back({static_cast<std::uint8_t>(s.side == timing::Side::candidate), s.round, s.order,
                              s.seconds, s.sm_mhz, s.throttled, s.counted});
  return record;
}

class Benchmark {
 public:
  Benchmark(const BenchOptions& options, const Environment& environment, const Words& words)
      : options_(options), environment_(environment), words_(words) {}

  int operator()();

 private:
  void start();
  std::unique_ptr<timing::ClockSource> open_clock() const;
  bench::Options bench_options() const;
  void run_cases(const bench::Options& options, const std::stop_token& stop);
  void finished(std::size_t index, bench::Result result);
  void note_clocks(const std::vector<timing::Sample>& samples);
  reports::Report report() const;
  void write();
  void print(double seconds) const;
  int status() const;

  const BenchOptions& options_;
  const Environment& environment_;
  const Words& words_;
  cases::Suite suite_;
  ChosenDevice device_;
  std::unique_ptr<reports::LockFile> lock_;
  bool counts_ = false;  ///< the device counts cost, and has no clock
  std::optional<reports::ReportFile> file_;
  std::unique_ptr<reports::Hdf5File> samples_;
  std::optional<Progress> progress_;
  reports::RunRecord run_;
  std::vector<std::uint32_t> sm_mhz_;
  std::vector<std::pair<std::size_t, bench::Result>> results_;  ///< with the case's place in the suite
  Clock::time_point snapshot_ = Clock::now();
};

void Benchmark::start() {
  require_distinct({{"--cases", options_.selection.cases_file},
                    {"--json", options_.json},
                    {"the journal of --json", options_.json.empty() ? "" : options_.json + ".journal"},
                    {"--hdf5", options_.hdf5}});
  device_ = environment_.choose_device(options_.device, 0);
  lock_ = hold_gpu(device_, environment_.lock_folder, words_);
  counts_ = device_.record.kind == "emulator";
  if (!counts_)
    if (const auto why = timing::reason_not_to_time(environment_.build)) throw Error(Exit::usage, *why);
  suite_ = select(options_.selection);
  if (suite_.cases.empty())
    throw Error(Exit::nothing_ran, fmt::format("no case of suite {} matches", suite_.name));
  if (bench::parse_control(options_.control).kind == bench::Control::Kind::cublas)
    device_.make(reference::Model::volta, 1)->gemm_library();  // says so before the run where there is none
  if (!options_.json.empty())
    writable("--json", [&] {
      file_.emplace(options_.json);
      return 0;
    });
  if (!options_.hdf5.empty()) try {
      samples_ = std::make_unique<reports::Hdf5File>(options_.hdf5);
    } catch (const reports::Hdf5Error& e) {
      throw Error(Exit::usage, fmt::format("--hdf5: {}", e.what()));
    }
  run_ = begin_run(words_, suite_, options_.seed, device_, !options_.selection.model.empty());
}

std::unique_ptr<timing::ClockSource> Benchmark::open_clock() const {
  auto opened = device_.open_clock();
  if (auto* clock = std::get_if<std::unique_ptr<timing::ClockSource>>(&opened)) return std::move(*clock);
  if (!counts_)
    environment_.err << std::get<timing::NoNvml>(opened).reason
                     << ": samples of a throttled device cannot be told from others\n";
  return std::make_unique<timing::NoClock>();
}

bench::Options Benchmark::bench_options() const {
  bench::Options options;
  options.run.make_device = device_.make;
  options.run.seed = options_.seed;
  options.run.one_at_a_time = true;
  options.run.why_skipped = [this](const cases::Case& c) -> std::optional<std::string> {
    if (auto why = device_.why_skipped(c)) return why;
    if (!device_.target || c.target == to_string(*device_.target)) return std::nullopt;
    return fmt::format("the kernels made for this device are {}'s", to_string(*device_.target));
  };
  std::vector<std::string> words{words_.at(0), "bench", "--device",
                                 options_.device.empty() ? device_.record.kind : options_.device};
  const std::vector<std::string> cases = suite_words(options_.selection);
  words.insert(words.end(), cases.begin(), cases.end());
  words.insert(words.end(), {"--control", options_.control, "--seed", std::to_string(options_.seed)});
  if (options_.early_start) words.push_back("--early-start");
  options.run.repro_command = portable_command(words);
  options.run.find_module = environment_.find_module;
  options.control = bench::parse_control(options_.control);
  options.arithmetic = device_.arithmetic;
  options.early_start = options_.early_start;
  options.tensors = options_.hot ? 1 : options_.working_set;
  return options;
}

void Benchmark::note_clocks(const std::vector<timing::Sample>& samples) {
  for (const timing::Sample& sample : samples)
    if (sample.sm_mhz > 0) sm_mhz_.push_back(sample.sm_mhz);
  if (sm_mhz_.empty()) return;
  std::ranges::sort(sm_mhz_);
  run_.device.clocks_mhz = {{"sm_lowest", sm_mhz_.front()},
                            {"sm_median", sm_mhz_[sm_mhz_.size() / 2]},
                            {"sm_highest", sm_mhz_.back()}};
}

void Benchmark::finished(std::size_t index, bench::Result result) {
  progress_->finished(result.record);
  if (file_) file_->journal(result.record);
  if (result.comparison) {
    note_clocks(result.comparison->samples);
    if (samples_) samples_->add(samples_of(result.record.id, result.comparison->samples));
  }
  results_.emplace_back(index, std::move(result));
  constexpr auto often = std::chrono::seconds(5);
  if (Clock::now() - snapshot_ > often) write();
}

reports::Report Benchmark::report() const {
  reports::Report report{run_};
  std::vector<bench::Weighed> measured;
  for (const auto& [index, result] : results_) {
    report.cases.push_back(result.record);
    if (!result.comparison) continue;
    report.timings.push_back(result.comparison->record);
    measured.push_back({suite_.cases[index], *result.comparison});
  }
  report.weighted = bench::weighted(measured, timing::Protocol{}.bootstrap);
  return report;
}

void Benchmark::write() {
  const reports::Report whole = report();
  if (file_) file_->snapshot(whole);
  if (samples_) {
    samples_->set_run(reports::to_json(whole).at("run"));
    samples_->publish();
  }
  snapshot_ = Clock::now();
}

void Benchmark::print(double seconds) const {
  const Style style(environment_.out_terminal && !environment_.no_color);
  std::ostream& out = environment_.out;
  for (const auto& [index, result] : results_)
    if (result.record.status != reports::Status::passed && result.record.status != reports::Status::skipped)
      out << failure_text(result.record, style) << "\n";
  const reports::Report whole = report();
  if (counts_)
    out << "The emulator has no clock: warp instructions of one use are counted instead of time.\n";
  out << comparison_table(whole, style) << results_line(whole, seconds, style);
  if (run_.interrupted)
    out << fmt::format("interrupted by {}: {} of {} cases ran\n", run_.interrupted->signal, results_.size(),
                       run_.planned);
  for (const std::string& file : {options_.json, options_.hdf5})
    if (!file.empty()) out << "report: " << file << "\n";
}

int Benchmark::status() const {
  std::vector<reports::CaseRecord> records;
  bool broken = false, undecided = false;
  for (const auto& [index, result] : results_) {
    records.push_back(result.record);
    if (!result.comparison) continue;
    const bench::Outcome outcome = bench::hold(*result.comparison, options_.max_ratio);
    broken = broken || outcome == bench::Outcome::broken;
    undecided = undecided || outcome == bench::Outcome::undecided;
  }
  const Exit verified = exit_of(reports::summarize(records));
  if (verified != Exit::good && verified != Exit::undecided) return static_cast<int>(verified);
  if (broken) return static_cast<int>(Exit::costlier);
  return static_cast<int>(undecided ? Exit::undecided : verified);
}

void Benchmark::run_cases(const bench::Options& options, const std::stop_token& stop) {
  const auto clock = open_clock();
  bench::Bench bench(options, *clock);
  for (std::size_t i = 0; i < suite_.cases.size() && !stop.stop_requested(); ++i)
    finished(i, bench.run(suite_.cases[i]));
}

int Benchmark::operator()() {
  const Clock::time_point begun = Clock::now();
  const Interrupt interrupt;  // before anything that starts threads, a GPU's driver too
  start();
  if (!options_.quiet)
    environment_.err << fmt::format("{} of suite {} on {}, against {}\n", counted(suite_.cases.size()),
                                    suite_.name, device_.record.name, options_.control);
  progress_.emplace(environment_.err, environment_.err_terminal, options_.quiet,
                    Style(environment_.err_terminal && !environment_.no_color), "bench " + suite_.name,
                    suite_.cases.size());
  run_cases(bench_options(), interrupt.token());
  run_.interrupted = interrupt.received();
  progress_->end();
  run_.finished = utc_now();
  write();
  print(std::chrono::duration<double>(Clock::now() - begun).count());
  return run_.interrupted ? 128 + interrupt.number() : status();
}

}  // namespace

Action add_bench(CLI::App& program, const Environment& environment, const Words& words) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App& command = *program.add_subcommand(
      "bench", "Time kernels against a control, each verified in the same run; on the emulator, count");
  add_selection(command, options->selection);
  add_device(command, options->device);
  command
      .add_option("--control", options->control,
                  "stream (a plain read of the weights), cublas, a target (sm70), a tuning (s8.c1), or a "
                  "layout (dual, shared, compact, temporary)")
      ->check([](const std::string& name) -> std::string {
        try {
          bench::parse_control(name);
          return "";
        } catch (const std::invalid_argument& e) {
          return e.what();
        }
      })
      ->capture_default_str()
      ->type_name("NAME");
  command
      .add_flag("--early-start", options->early_start,
                "each use of the candidate may start before the one ahead has ended (sm90)")
      ->disable_flag_override();
  auto* hot = command.add_flag("--hot", options->hot, "one tensor again and again, from the cache")
                  ->disable_flag_override();
  command.add_option("--working-set", options->working_set, "rotate over N tensors (default: a cold cache)")
      ->excludes(hot)
      ->check(CLI::Range(1, 1 << 16))
      ->type_name("N");
  command.add_option("--max-ratio", options->max_ratio, "the most that each case may take of its control")
      ->check([](const std::string& text) -> std::string {
        double ratio = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ratio);
        if (error == std::errc{} && end == text.data() + text.size() && ratio > 0 && std::isfinite(ratio))
          return "";
        return fmt::format("\"{}\" is no number above 0", text);
      })
      ->type_name("R");
  add_seed(command, options->seed, "of made-up weights and activations");
  add_output(command, "--json", options->json, "write the report here, and F.journal beside it");
  add_output(command, "--hdf5", options->hdf5, "write every raw sample here");
  add_quiet(command, options->quiet);
  command.footer(
      "Examples:\n"
      "  quadpair bench --suite production --m 8,16,32 --json r.json --hdf5 r.h5\n"
      "  quadpair bench --suite production --control cublas --hot\n"
      "  quadpair bench --device emulator --filter 'minilm.0.o/m8/' --control s8.c1\n"
      "A limit on the ratio is broken (exit status 2) only when its whole interval lies above it; where "
      "only\n"
      "a part does, the result is ambiguous (3).");
  return [options, &environment, &words] { return Benchmark(*options, environment, words)(); };
}

}  // namespace quadpair::cli
