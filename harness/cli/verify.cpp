#include <CLI/CLI.hpp>
#include <memory>

#include "harness/cli/command.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/shard.hpp"
#include "harness/cli/verification.hpp"

namespace quadpair::cli {

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
  command
      .add_flag(
          "--sanitize{on}", options->sanitize,
          "look for races, reads of what nothing wrote and other faults that outputs may not show, on the\n"
          "emulator (default: where the suite asks for it, as `edges` does; --sanitize=off never)")
      ->check(CLI::IsMember({"on", "off"}));
  add_shard(command, options->shard);
  add_outputs(command, options->outputs);
  add_quiet(command, options->quiet);
  command.footer(
      "Examples:\n"
      "  quadpair verify --suite default --device emulator --json r.json\n"
      "  quadpair verify --suite production --m 8\n"
      "  quadpair verify --checkpoint models/llama --tp 4 --layers 0,3 --ranks 0,2\n"
      "  quadpair verify --suite default --sanitize --m 8\n"
      "  quadpair verify --filter 'minilm.*/sm90/' --m 1,16-18\n"
      "  quadpair verify --suite edges --json r.json --hdf5 r.h5 --save-arrays failures\n"
      "  quadpair verify --suite edges --json r.json --hdf5 r.h5 --resume\n"
      "  quadpair verify --suite production --shard 2/8 --json shard2.json\n"
      "Each failure prints the command that repeats it alone.");
  return [options, &environment, &words] { return Verification(*options, environment, words)(); };
}

}  // namespace quadpair::cli
