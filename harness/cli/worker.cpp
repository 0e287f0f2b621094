// The subcommand that verify starts anew for its worker processes; not for users.
#include "harness/run/worker.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "harness/cli/checkpoint_options.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/devices.hpp"

namespace quadpair::cli {
namespace {

struct WorkerOptions {
  std::string device;
  std::uint64_t seed = 1;
  unsigned jobs = 0, repeats = 1;
  bool sanitize = false;
  CheckpointOptions checkpoint;
};

}  // namespace

std::vector<std::string> worker_command(const std::string& device, std::uint64_t seed, unsigned jobs,
                                        unsigned repeats, const CheckpointOptions& checkpoint,
                                        bool sanitize) {
  std::vector<std::string> words{
      "/proc/self/exe",     "worker", "--device",           device,      "--seed",
      std::to_string(seed), "--jobs", std::to_string(jobs), "--repeats", std::to_string(repeats)};
  if (sanitize) words.emplace_back("--sanitize");
  if (checkpoint.path.empty()) return words;
  const std::vector<std::string> more = checkpoint.words();
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Action add_worker(CLI::App& program, const Environment& environment) {
  const auto options = std::make_shared<WorkerOptions>();
  CLI::App& command = *program.add_subcommand("worker", "Run cases that come by stdin, a line of JSON each");
  command.group("");  // in no list of commands
  add_device(command, options->device);
  add_checkpoint_shards(command, options->checkpoint);
  command.add_option("--seed", options->seed);
  command.add_option("--jobs", options->jobs);
  command.add_option("--repeats", options->repeats);
  command.add_flag("--sanitize", options->sanitize);
  return [options, &environment] {
    const ChosenDevice device = environment.choose_device(options->device, options->jobs);
    run::Options run_options;
    run_options.make_device = options->sanitize ? device.make_sanitizing : device.make;
    run_options.seed = options->seed;
    run_options.jobs = options->jobs;
    run_options.repeats = options->repeats;
    run_options.find_module = environment.find_module;
    if (!options->checkpoint.path.empty()) run_options.slices = open_slices(options->checkpoint);
    run::answer_requests(environment.in, environment.out, run_options);
    return 0;
  };
}

}  // namespace quadpair::cli
