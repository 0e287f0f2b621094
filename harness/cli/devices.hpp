// The devices that a run may use.
#pragma once

#include <string>
#include <vector>

#include "harness/run/options.hpp"
#include "reports/record.hpp"

namespace CLI {
class App;
}

namespace quadpair::cli {

/// Adds --device, its form checked when the command line is read.
void add_device(CLI::App& command, std::string& device);

struct ChosenDevice {
  reports::DeviceRecord record;  ///< arithmetic is left to the caller
  run::DeviceFactory make;
};

/// The device of that name ("emulator", "cuda", "cuda:1"), or with an empty name the best there is. Throws
/// Error with Exit::no_device.
ChosenDevice choose_device(const std::string& name);

/// The devices of this machine.
std::vector<reports::DeviceRecord> all_devices();

}  // namespace quadpair::cli
