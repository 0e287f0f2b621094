#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <memory>

#include "harness/cli/benchmark.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/measurement.hpp"

namespace quadpair::cli {

Action add_bench(CLI::App& program, const Environment& environment, const Words& words) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App& command = *program.add_subcommand(
      "bench", "Time kernels against a control, each verified in the same run; on the emulator, count");
  add_selection(command, options->selection);
  add_device(command, options->device);
  add_measurement(command, options->measurement);
  command.add_option("--max-ratio", options->max_ratio, "the most that each case may take of its control")
      ->check([](const std::string& text) -> std::string {
        double ratio = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ratio);
        if (error == std::errc{} && end == text.data() + text.size() && ratio > 0 && std::isfinite(ratio))
          return "";
        return fmt::format("\"{}\" is no number above 0", text);
      })
      ->type_name("R");
  command
      .add_option("--timeout", options->timeout,
                  "seconds that a case on a GPU may take, its reference included (default: 600)")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("SECONDS");
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
