#include "harness/cli/devices.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <regex>

#include "harness/cli/exit_status.hpp"
#include "harness/device/emulator/emulator.hpp"

namespace quadpair::cli {
namespace {

std::unique_ptr<device::Device> make_emulator(reference::Model model, unsigned threads,
                                              std::uint64_t budget) {
  device::EmulatorOptions options;
  options.model = model;
  options.threads = threads;
  options.budget = budget;
  return device::make_emulator(options);
}

reports::DeviceRecord emulator_record() {
  const device::DeviceInfo info = device::make_emulator({})->info();
  return {info.kind, info.name, {}, info.driver, info.runtime};
}

}  // namespace

void add_device(CLI::App& command, std::string& device) {
  command.add_option("--device", device, "emulator, cuda or cuda:N (default: a GPU if there is one)")
      ->check([](const std::string& text) -> std::string {
        if (std::regex_match(text, std::regex("emulator|cuda(:[0-9]{1,3})?"))) return "";
        return fmt::format("\"{}\" is none of emulator, cuda, cuda:N", text);
      })
      ->type_name("DEVICE");
}

ChosenDevice choose_device(const std::string& name) {
  if (name.starts_with("cuda"))
    throw Error(Exit::no_device, fmt::format("{}: this build runs kernels on the emulator only", name));
  return {emulator_record(), make_emulator};
}

std::vector<reports::DeviceRecord> all_devices() {
  return {emulator_record()};
}

}  // namespace quadpair::cli
