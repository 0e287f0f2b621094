#include "harness/device/emulator/module_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "harness/device/device.hpp"
#include "harness/device/emulator/decode.hpp"
#include "harness/device/emulator/ptx/parser.hpp"

namespace quadpair::emulator {

ModuleCache::Kernels ModuleCache::decoded(const Module& module, Observation observation,
                                          const ptx::Program* given) const {
  const std::string name = fmt::format("{}.{}", module.name, to_string(module.target));
  try {
    const ptx::Program parsed = given != nullptr ? ptx::Program{} : ptx::parse(module.ptx, name);
    const ptx::Program& program = given != nullptr ? *given : parsed;
    Kernels kernels;
    for (const ptx::Entry& each : program.entries)
      kernels.emplace(each.name, decode(each, program.files, name, table_, observation));
    return kernels;
  } catch (const ptx::ParseError& error) {
    throw device::Fault(error.what());
  }
}

const Kernel& ModuleCache::kernel(const Module& module, const std::string& entry, Observation observation,
                                  const ptx::Program* given) {
  const auto key = std::tuple(module.ptx.data(), std::string(module.ptx_sha256), observation);
  auto found = modules_.find(key);
  if (found == modules_.end()) {
    Kernels kernels = decoded(module, observation, given);
    if (given != nullptr) std::erase_if(modules_, [](const auto& each) { return each.second.given; });
    if (modules_.size() == most)
      modules_.erase(
          std::ranges::min_element(modules_, {}, [](const auto& each) { return each.second.used; }));
    found = modules_.emplace(key, Entry{std::move(kernels), 0, given != nullptr}).first;
  }
  found->second.used = ++uses_;
  const auto kernel = found->second.kernels.find(entry);
  if (kernel == found->second.kernels.end())
    throw device::Fault(
        fmt::format("module {}.{} has no entry '{}'", module.name, to_string(module.target), entry));
  return kernel->second;
}

}  // namespace quadpair::emulator
