#include "harness/device/emulator/module_cache.hpp"

#include <fmt/format.h>

#include "harness/device/device.hpp"
#include "harness/device/emulator/decode.hpp"
#include "harness/device/emulator/ptx/parser.hpp"

namespace quadpair::emulator {

const Kernel& ModuleCache::kernel(const Module& module, const std::string& entry, Observation observation) {
  const std::pair key{module.ptx.data(), observation};
  auto found = modules_.find(key);
  if (found == modules_.end()) {
    const std::string name = fmt::format("{}.{}", module.name, to_string(module.target));
    Kernels kernels;
    try {
      const ptx::Program program = ptx::parse(module.ptx, name);
      for (const ptx::Entry& each : program.entries)
        kernels.emplace(each.name, decode(each, program.files, name, table_, observation));
    } catch (const ptx::ParseError& error) {
      throw device::Fault(error.what());
    }
    found = modules_.emplace(key, std::move(kernels)).first;
  }
  const auto kernel = found->second.find(entry);
  if (kernel == found->second.end())
    throw device::Fault(
        fmt::format("module {}.{} has no entry '{}'", module.name, to_string(module.target), entry));
  return kernel->second;
}

}  // namespace quadpair::emulator
