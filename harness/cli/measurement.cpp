#include "harness/cli/measurement.hpp"

#include <CLI/CLI.hpp>
#include <ostream>
#include <stdexcept>
#include <utility>
#include <variant>

#include "harness/cli/common_options.hpp"

namespace quadpair::cli {

std::vector<std::string> Measurement::words() const {
  std::vector<std::string> words{"--control", control, "--seed", std::to_string(seed)};
  if (early_start) words.emplace_back("--early-start");
  if (hot) words.emplace_back("--hot");
  if (working_set != 0) words.insert(words.end(), {"--working-set", std::to_string(working_set)});
  return words;
}

void add_measurement(CLI::App& command, Measurement& measurement) {
  command
      .add_option(
          "--control", measurement.control,
          "stream (a plain read of the weights), cublas, a target (sm70), a tuning (s8.c1, 64x128.s2), or a "
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
      .add_flag("--early-start", measurement.early_start,
                "each use of the candidate may start before the one ahead has ended (sm90)")
      ->disable_flag_override();
  auto* hot = command.add_flag("--hot", measurement.hot, "one tensor again and again, from the cache")
                  ->disable_flag_override();
  command
      .add_option("--working-set", measurement.working_set, "rotate over N tensors (default: a cold cache)")
      ->excludes(hot)
      ->check(CLI::Range(1, 1 << 16))
      ->type_name("N");
  add_seed(command, measurement.seed, "of made-up weights and activations");
}

bench::Options bench_options(const Measurement& measurement, const ChosenDevice& device,
                             const Environment& environment) {
  bench::Options options;
  options.run.make_device = device.make;
  options.run.seed = measurement.seed;
  options.run.one_at_a_time = true;
  options.run.find_module = environment.find_module;
  options.control = bench::parse_control(measurement.control);
  options.arithmetic = device.arithmetic;
  options.early_start = measurement.early_start;
  options.tensors = measurement.hot ? 1 : measurement.working_set;
  return options;
}

std::unique_ptr<timing::ClockSource> open_clock(const ChosenDevice& device, const Environment& environment) {
  auto opened = device.open_clock();
  if (auto* clock = std::get_if<std::unique_ptr<timing::ClockSource>>(&opened)) return std::move(*clock);
  if (device.record.kind != "emulator")
    environment.err << std::get<timing::NoNvml>(opened).reason
                    << ": samples of a throttled device cannot be told from others\n";
  return std::make_unique<timing::NoClock>();
}

}  // namespace quadpair::cli
