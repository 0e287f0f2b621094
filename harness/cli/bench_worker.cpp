// The subcommand that bench starts anew for its worker processes; not for users.
#include <CLI/CLI.hpp>
#include <memory>

#include "harness/bench/case_bench.hpp"
#include "harness/bench/worker.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/measurement.hpp"

namespace quadpair::cli {
namespace {

struct BenchWorkerOptions {
  std::string device;
  Measurement measurement;
};

}  // namespace

std::vector<std::string> bench_worker_command(const std::string& device, const Measurement& measurement) {
  std::vector<std::string> words{"/proc/self/exe", "bench-worker", "--device", device};
  const std::vector<std::string> more = measurement.words();
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Action add_bench_worker(CLI::App& program, const Environment& environment) {
  const auto options = std::make_shared<BenchWorkerOptions>();
  CLI::App& command =
      *program.add_subcommand("bench-worker", "Measure cases that come by stdin, a line of JSON each");
  command.group("");  // in no list of commands
  add_device(command, options->device);
  add_measurement(command, options->measurement);
  return [options, &environment] {
    const ChosenDevice device = environment.choose_device(options->device, 0);
    const bench::Options bench_options = cli::bench_options(options->measurement, device, environment);
    const auto clock = open_clock(device, environment);
    bench::Bench bench(bench_options, *clock);
    bench::answer_requests(environment.in, environment.out, bench);
    return 0;
  };
}

}  // namespace quadpair::cli
