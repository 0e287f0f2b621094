#include "harness/cli/benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "harness/bench/case_bench.hpp"
#include "harness/bench/isolated_bench.hpp"
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
#include "harness/cli/words.hpp"
#include "harness/device/cuda/cublas.hpp"
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
  if (counts_ && options_.timeout != 0)
    throw Error(Exit::usage, "--timeout: the emulator counts in this process, and endless loops end there");
  if (!counts_)
    if (const auto why = timing::reason_not_to_time(environment_.build)) throw Error(Exit::usage, *why);
  suite_ = select(options_.selection);
  if (suite_.cases.empty())
    throw Error(Exit::nothing_ran, fmt::format("no case of suite {} matches", suite_.name));
  require_library();
  const Measurement& m = options_.measurement;
  run_ = begin_run(words_, suite_, m.seed, device_, !options_.selection.model.empty());
  run_.hdf5 = beside(options_.json, options_.hdf5);
  run_.options = {{"control", m.control},
                  {"early_start", m.early_start ? "yes" : "no"},
                  {"tensors", m.hot                ? "1"
                              : m.working_set == 0 ? "more than the cache"
                                                   : std::to_string(m.working_set)}};
  ledger_ = suite_ledger(suite_, {}, environment_.err);
  open_files();
}

/// The files tell of this run from now on, however it ends.
void Benchmark::open_files() {
  if (!options_.json.empty()) writable("--json", [&] { file_.emplace(options_.json); });
  if (!options_.hdf5.empty()) try {
      samples_ = std::make_unique<reports::Hdf5File>(options_.hdf5);
    } catch (const reports::Hdf5Error& e) {
      throw Error(Exit::usage, fmt::format("--hdf5: {}", e.what()));
    }
  write();
}

/// Says before the run where there is none. A GPU that workers use is not touched by this process.
void Benchmark::require_library() const {
  if (bench::parse_control(options_.measurement.control).kind != bench::Control::Kind::cublas) return;
  if (device_.isolated)
    device::require_cublas();
  else
    device_.make(reference::Model::volta, 1)->gemm_library();
}

std::string Benchmark::device_word() const {
  return options_.device.empty() ? device_.record.kind : options_.device;
}

bench::Options Benchmark::options_of_bench() const {
  bench::Options options = bench_options(options_.measurement, device_, environment_);
  options.run.why_skipped = [this](const cases::Case& c) -> std::optional<std::string> {
    if (auto why = device_.why_skipped(c)) return why;
    if (!device_.target || c.target == to_string(*device_.target)) return std::nullopt;
    return fmt::format("the kernels made for this device are {}'s", to_string(*device_.target));
  };
  std::vector<std::string> words{words_.at(0), "bench", "--device", device_word()};
  for (const std::vector<std::string>& more : {suite_words(options_.selection), options_.measurement.words()})
    words.insert(words.end(), more.begin(), more.end());
  options.run.repro_command = portable_command(words);
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
  progress_->finished(result.record);
  if (result.comparison) note_clocks(result.comparison->samples);
  results_.emplace_back(index, std::move(result));
  const bench::Result& kept = results_.back().second;
  if (file_) written(options_.json, [&] { file_->journal(kept.record); });
  if (samples_ && kept.comparison)
    written(options_.hdf5, [&] { samples_->add(samples_of(kept.record, kept.comparison->samples)); });
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
  if (file_) written(options_.json, [&] { file_->snapshot(whole); });
  if (samples_)
    written(options_.hdf5, [&] {
      samples_->set_run(reports::to_json(whole).at("run"));
      samples_->publish();
    });
  snapshot_ = Clock::now();
}

void Benchmark::print(double seconds, Files files) const {
  const Style style(environment_.out_terminal && !environment_.no_color);
  std::ostream& out = environment_.out;
  for (const auto& [index, result] : results_)
    if (result.record.status != reports::Status::passed && result.record.status != reports::Status::skipped)
      out << failure_text(result.record, style) << "\n";
  const reports::Report whole = report();
  if (counts_)
    out << "The emulator has no clock: warp instructions of one use are counted instead of time.\n";
  out << comparison_table(whole, style);
  for (const auto& [index, result] : results_)
    if (result.comparison && bench::hold(*result.comparison, options_.max_ratio) == bench::Outcome::broken)
      out << style(Tint::red, fmt::format("above --max-ratio {}: {}, {:.3f}", *options_.max_ratio,
                                          result.record.id, result.comparison->record.ratio.value_or(0)))
          << "\n";
  out << results_line(whole, seconds, style);
  if (run_.interrupted)
    out << fmt::format("interrupted by {}: {} of {} cases ran\n", run_.interrupted->signal, results_.size(),
                       run_.planned);
  for (const std::string& file : {options_.json, options_.hdf5})
    if (files == Files::whole && !file.empty()) out << "report: " << file << "\n";
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

void Benchmark::run_cases(const std::stop_token& stop) {
  const bench::Options options = options_of_bench();
  const auto each_by = [&](const auto& measure) {
    for (std::size_t i = 0; i < suite_.cases.size() && !stop.stop_requested(); ++i) {
      std::optional<bench::Result> result = measure(suite_.cases[i]);
      if (!result) return;
      finished(i, std::move(*result));
    }
  };
  if (device_.isolated) {
    constexpr unsigned allowed = 600;
    run::Isolation isolation{bench_worker_command(device_word(), options_.measurement)};
    isolation.timeout = std::chrono::seconds(options_.timeout == 0 ? allowed : options_.timeout);
    bench::IsolatedBench bench(options.run, std::move(isolation), stop);
    each_by([&](const cases::Case& c) { return bench.run(c); });
  } else {
    const auto clock = open_clock(device_, environment_);
    bench::Bench bench(options, *clock);
    each_by([&](const cases::Case& c) { return std::optional(bench.run(c)); });
  }
}

int Benchmark::operator()() {
  const Clock::time_point begun = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
  const Interrupt interrupt;  // before anything that starts threads, a GPU's driver too
  start();
  if (!options_.quiet)
    environment_.err << fmt::format("{} of suite {} on {}, against {}\n", counted(suite_.cases.size()),
                                    suite_.name, device_.record.name, options_.measurement.control);
  progress_.emplace(environment_.err, environment_.err_terminal, options_.quiet,
                    Style(environment_.err_terminal && !environment_.no_color), "bench " + suite_.name,
                    suite_.cases.size());
  try {
    run_cases(interrupt.token());
    progress_->end();
    run_.interrupted = interrupt.received();
    run_.finished = utc_now();
    write();
  } catch (const Unwritten&) {
    progress_->end();
    print(seconds(), Files::lost);
    throw;
  }
  print(seconds(), Files::whole);
  return run_.interrupted ? 128 + interrupt.number() : status();
}

}  // namespace quadpair::cli
