#include "harness/run/launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quadpair::run {
namespace {

reports::KernelRecord kernel_record(const Launch& launch, const device::Device& device) {
  const Module& module = *launch.module;
  reports::KernelRecord record{std::string(module.name) + ":" + launch.entry,
                               std::string(to_string(module.target)),
                               std::string(device.code_sha256(module)),
                               0,
                               0,
                               std::string(module.toolkit),
                               std::string(module.options)};
  const auto info = std::ranges::find(module.kernels, launch.entry, &KernelInfo::entry);
  if (info != module.kernels.end()) {
    record.registers = info->registers;
    record.spill_bytes = info->spill_bytes;
  }
  return record;
}

}  // namespace

std::vector<Launch> looked_up(std::vector<Launch> launches, const ModuleLookup& find_module) {
  for (Launch& launch : launches) launch.module = &find_module(launch.module->name, launch.module->target);
  return launches;
}

std::string route_of(std::span<const reports::KernelRecord> kernels) {
  std::string route;
  for (const reports::KernelRecord& kernel : kernels)
    route += fmt::format("{}{}@{}", route.empty() ? "" : " + ", kernel.name, kernel.target);
  return route;
}

void add_kernels(std::span<const reports::KernelRecord> kernels, std::vector<reports::KernelRecord>& listed) {
  for (const reports::KernelRecord& kernel : kernels)
    if (std::ranges::find(listed, kernel) == listed.end()) listed.push_back(kernel);
}

void add_kernels(std::span<const Launch> launches, const device::Device& device,
                 std::vector<reports::KernelRecord>& listed) {
  for (const Launch& launch : launches) add_kernels(std::array{kernel_record(launch, device)}, listed);
}

}  // namespace quadpair::run
