// How a benchmark measures: the options that change what comes out, for the command and for its workers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/bench/options.hpp"
#include "harness/cli/devices.hpp"
#include "harness/cli/environment.hpp"

namespace CLI {
class App;
}

namespace quadpair::cli {

struct Measurement {
  std::string control = "stream";
  bool early_start = false;
  bool hot = false;
  std::uint32_t working_set = 0;  ///< tensors; 0: as many as keep the cache cold
  std::uint64_t seed = 1;

  /// On a command line: all that add_measurement reads back.
  std::vector<std::string> words() const;
};

/// Adds --control, --early-start, --hot, --working-set and --seed.
void add_measurement(CLI::App& command, Measurement& measurement);

/// The same for the bench, on that device.
bench::Options bench_options(const Measurement& measurement, const ChosenDevice& device,
                             const Environment& environment);

/// The device's clock; where a GPU's cannot be read, one that tells nothing, and a word about it on stderr.
std::unique_ptr<timing::ClockSource> open_clock(const ChosenDevice& device, const Environment& environment);

}  // namespace quadpair::cli
