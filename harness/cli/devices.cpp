#include "harness/cli/devices.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <vector>

#include "harness/cli/exit_status.hpp"
#include "harness/cli/gpu_arithmetic.hpp"
#include "harness/device/cuda/cuda.hpp"
#include "harness/device/emulator/emulator.hpp"
#include "kernels/common/stream.hpp"

namespace quadpair::cli {
namespace {

/// Warp instructions of one launch: 50 times what the largest production shape takes at M = 64, and some ten
/// seconds of an endless loop.
constexpr std::uint64_t budget = std::uint64_t{1} << 32;

std::unique_ptr<device::Device> make_emulator(reference::Model model, unsigned threads, bool sanitize) {
  device::EmulatorOptions options;
  options.model = model;
  options.threads = threads;
  options.sanitize = sanitize;
  options.budget = budget;
  return device::make_emulator(options);
}

reports::DeviceRecord record_of(const device::DeviceInfo& info) {
  return {info.kind, info.name, {}, info.driver, info.runtime};
}

/// The emulator has the arithmetic of the case wherever that defines the target's instruction, else that of
/// the target's own GPU; m8n8k4 beside a native model is lowered to FMAs, as such GPUs lower it.
std::optional<reference::Model> emulated_arithmetic(Target target, reference::Model model) {
  const MmaShape shape = target == Target::sm70 ? MmaShape::m8n8k4 : MmaShape::m16n8k16;
  if (reference::defines(model, shape)) return model;
  switch (target) {
    case Target::sm70: return reference::Model::fma_lowered;
    case Target::sm80: return reference::Model::ampere;
    case Target::sm90: return reference::Model::hopper;
  }
  return std::nullopt;
}

ChosenDevice emulator(unsigned jobs) {
  ChosenDevice chosen;
  chosen.record = record_of(make_emulator(reference::Model::volta, jobs, false)->info());
  const auto maker = [](bool sanitize) {
    return [sanitize](reference::Model model, unsigned threads) {
      return make_emulator(model, threads, sanitize);
    };
  };
  chosen.make = maker(false);
  chosen.make_sanitizing = maker(true);
  chosen.why_skipped = [](const cases::Case&) { return std::nullopt; };
  chosen.arithmetic = emulated_arithmetic;
  chosen.open_clock = [] { return timing::NoNvml{"the emulator has no clock"}; };
  return chosen;
}

ChosenDevice gpu(int index) {
  const std::vector<device::CudaProperties> all = device::cuda_devices();
  if (index >= static_cast<int>(all.size()))
    throw Error(Exit::no_device, all.empty()
                                     ? "no GPU: there is no CUDA 12 runtime, driver or GPU on this machine"
                                     : fmt::format("no GPU {}: this machine has {}", index, all.size()));
  const device::CudaProperties& properties = all[static_cast<std::size_t>(index)];
  ChosenDevice chosen;
  const device::DeviceInfo info = device::cuda_info(index);
  chosen.record = record_of(info);
  chosen.pci_bus_id = info.pci_bus_id;
  chosen.make = [index](reference::Model, unsigned) { return device::make_cuda(index); };
  chosen.why_skipped = [properties](const cases::Case& c) -> std::optional<std::string> {
    const auto target = target_from_string(c.target);
    const auto model = target ? gpu_arithmetic(properties.major, properties.minor, *target) : std::nullopt;
    if (!target || (model && to_string(*model) == c.model)) return std::nullopt;
    return fmt::format("{} (compute capability {}.{}) gives {} code {} arithmetic", properties.name,
                       properties.major, properties.minor, c.target, model ? to_string(*model) : "no");
  };
  chosen.one_at_a_time = true;
  chosen.isolated = true;
  chosen.gpu = properties;
  if (properties.major >= 7) chosen.target = target_for_capability(properties.major, properties.minor);
  chosen.arithmetic = [properties](Target target, reference::Model) {
    return gpu_arithmetic(properties.major, properties.minor, target);
  };
  chosen.open_clock = [info] { return timing::open_nvml(info.pci_bus_id); };
  return chosen;
}

}  // namespace

void add_device(CLI::App& command, std::string& device) {
  command.add_option("--device", device, "emulator, cuda or cuda:N (default: a GPU if there is one)")
      ->check([](const std::string& text) -> std::string {
        if (RE2::FullMatch(text, "emulator|cuda(:[0-9]{1,3})?")) return "";
        return fmt::format("\"{}\" is none of emulator, cuda, cuda:N", text);
      })
      ->type_name("DEVICE");
}

ChosenDevice choose_device(const std::string& name, unsigned jobs) {
  if (name == "emulator" || (name.empty() && device::cuda_devices().empty())) return emulator(jobs);
  const std::size_t colon = name.find(':');
  return gpu(colon == std::string::npos ? 0 : std::stoi(name.substr(colon + 1)));
}

std::vector<reports::DeviceRecord> all_devices() {
  std::vector<reports::DeviceRecord> devices{emulator(0).record};
  const std::size_t gpus = device::cuda_devices().size();
  for (std::size_t i = 0; i < gpus; ++i) devices.push_back(gpu(static_cast<int>(i)).record);
  return devices;
}

}  // namespace quadpair::cli
