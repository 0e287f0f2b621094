// A subcommand: its options, and what it does with them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/cli/environment.hpp"
#include "harness/cli/exit_status.hpp"

namespace CLI {
class App;
}

namespace quadpair::cli {

struct CheckpointOptions;
struct Measurement;

/// What a command line was parsed from, for reports.
using Words = std::vector<std::string>;

/// Runs a parsed subcommand. The result is an Exit, or 128 + a signal's number.
using Action = std::function<int()>;

// Each adds a subcommand to the program and returns what runs it. `environment` and `words` outlive the
// action.
Action add_verify(CLI::App& program, const Environment& environment, const Words& words);
Action add_probe(CLI::App& program, const Environment& environment, const Words& words);
Action add_bench(CLI::App& program, const Environment& environment, const Words& words);
Action add_merge(CLI::App& program, const Environment& environment, const Words& words);
Action add_compare(CLI::App& program, const Environment& environment);
Action add_list(CLI::App& program, const Environment& environment);
Action add_explain(CLI::App& program, const Environment& environment);
Action add_mutate(CLI::App& program, const Environment& environment);
Action add_slice(CLI::App& program, const Environment& environment);
Action add_ledger(CLI::App& program, const Environment& environment);
Action add_report(CLI::App& program, const Environment& environment);
Action add_worker(CLI::App& program, const Environment& environment);
Action add_bench_worker(CLI::App& program, const Environment& environment);
Action add_completion(CLI::App& program, const Environment& environment);

/// The command that starts such a worker: this very program again, its path first.
std::vector<std::string> worker_command(const std::string& device, std::uint64_t seed, unsigned jobs,
                                        unsigned repeats, const CheckpointOptions& checkpoint, bool sanitize);

/// The same of a benchmark's worker.
std::vector<std::string> bench_worker_command(const std::string& device, const Measurement& measurement);

}  // namespace quadpair::cli
