// The devices that a run may use.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/device/cuda/cuda.hpp"
#include "harness/run/options.hpp"
#include "harness/timing/nvml.hpp"
#include "reports/record.hpp"

namespace CLI {
class App;
}

namespace quadpair::cli {

/// Adds --device, its form checked when the command line is read.
void add_device(CLI::App& command, std::string& device);

struct ChosenDevice {
  reports::DeviceRecord record;  ///< arithmetic is left to the caller
  std::string pci_bus_id{};      ///< empty for the emulator
  run::DeviceFactory make;
  run::DeviceFactory make_sanitizing{};  ///< the same, looking for every fault; empty where it cannot
  run::SkipRule why_skipped;             ///< cases whose arithmetic the device does not have
  bool one_at_a_time = false;            ///< cases do not share it side by side
  bool isolated = false;                 ///< its faults stay with their process: cases go to worker processes
  std::optional<device::CudaProperties> gpu = std::nullopt;  ///< nothing for the emulator
  std::optional<Target> target{};  ///< whose kernels are made for it; the emulator runs those of all
  /// The arithmetic that it gives to code of a target, in a run of cases of the other model.
  std::function<std::optional<reference::Model>(Target target, reference::Model model)> arithmetic{};
  /// Its SM clock, or why there is none to read.
  std::function<std::variant<std::unique_ptr<timing::ClockSource>, timing::NoNvml>()> open_clock{};
};

/// The device of that name ("emulator", "cuda", "cuda:1"), or with an empty name the best there is: a GPU,
/// else the emulator with device::thread_count(jobs) threads in all. Throws Error with Exit::no_device.
ChosenDevice choose_device(const std::string& name, unsigned jobs);

/// The devices of this machine.
std::vector<reports::DeviceRecord> all_devices();

}  // namespace quadpair::cli
