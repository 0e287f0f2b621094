#include "harness/run/kernel_record.hpp"

#include <algorithm>
#include <string>

namespace quadpair::run {

reports::KernelRecord kernel_record(const Launch& launch, const device::Device& device) {
  const Module& module = *launch.module;
  reports::KernelRecord record{std::string(module.name) + ":" + launch.entry,
                               std::string(to_string(module.target)),
                               std::string(device.code_sha256(module)),
                               0,
                               0,
                               std::string(module.toolkit)};
  const auto info = std::ranges::find(module.kernels, launch.entry, &KernelInfo::entry);
  if (info != module.kernels.end()) {
    record.registers = info->registers;
    record.spill_bytes = info->spill_bytes;
  }
  return record;
}

}  // namespace quadpair::run
