#include "harness/cli/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <ostream>

#include "harness/bench/case_bench.hpp"
#include "harness/bench/limit.hpp"
#include "harness/bench/weighted.hpp"
#include "harness/cli/bench_results.hpp"
#include "harness/cli/failure.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/gpu_lock.hpp"
#include "harness/cli/host.hpp"
#include "harness/cli/interrupt.hpp"
#include "harness/cli/model_ledger.hpp"
#include "harness/cli/results.hpp"
#include "harness/cli/run_record.hpp"
#include "harness/cli/watchdog.hpp"
#include "harness/cli/words.hpp"
#include "reports/json.hpp"

namespace quadpair::cli {
namespace {

reports::Hdf5Case samples_of(const reports::CaseRecord& timed, const std::vector<timing::Sample>& samples) {
  reports::Hdf5Case record = reports::hdf5_case(timed);
  for (const timing::Sample& s : samples)
    record.samples.push_back({static_cast<std::uint8_t>(s.side == timing::Side::candidate), s.round, s.order,
                              s.seconds, s.sm_mhz, s.throttled, s.counted});
  return record;
}

}  // namespace

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
  if (!options_.json.empty()) writable("--json", [&] { file_.emplace(options_.json); });
  if (!options_.hdf5.empty()) try {
      samples_ = std::make_unique<reports::Hdf5File>(options_.hdf5);
    } catch (const reports::Hdf5Error& e) {
      throw Error(Exit::usage, fmt::format("--hdf5: {}", e.what()));
    }
  run_ = begin_run(words_, suite_, options_.seed, device_, !options_.selection.model.empty());
  run_.hdf5 = beside(options_.json, options_.hdf5);
  run_.options = {{"control", options_.control},
                  {"early_start", options_.early_start ? "yes" : "no"},
                  {"tensors", options_.hot                ? "1"
                              : options_.working_set == 0 ? "more than the cache"
                                                          : std::to_string(options_.working_set)}};
  ledger_ = suite_ledger(suite_, {}, environment_.err);
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
  result.record.index = index;
  const std::lock_guard lock(mutex_);
  progress_->finished(result.record);
  if (file_) file_->journal(result.record);
  if (result.comparison) {
    note_clocks(result.comparison->samples);
    if (samples_) samples_->add(samples_of(result.record, result.comparison->samples));
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
  report.ledger = ledger_;
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
  for (std::size_t i = 0; i < suite_.cases.size() && !stop.stop_requested(); ++i) {
    const cases::Case& c = suite_.cases[i];
    const Watchdog watchdog(std::chrono::seconds(options_.timeout), [&] { hung(c.id); });
    finished(i, bench.run(c));
  }
}

void Benchmark::hung(const std::string& id) {
  const std::lock_guard lock(mutex_);
  write();
  environment_.err << fmt::format("{}: not done after {} s; the run ends here\n", id, options_.timeout)
                   << std::flush;
  std::_Exit(static_cast<int>(Exit::internal));  // the case's thread may never come back from the driver
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

}  // namespace quadpair::cli
