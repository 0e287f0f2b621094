#include "harness/device/emulator/module_cache.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/device/device.hpp"
#include "harness/device/emulator/decode.hpp"
#include "harness/device/emulator/ptx/parser.hpp"

namespace quadpair::emulator {
namespace {

std::string name_of(const Module& module) {
  return fmt::format("{}.{}", module.name, to_string(module.target));
}

}  // namespace

ModuleCache::Entry& ModuleCache::find(const Module& module, const ptx::Program* given) {
  const auto key = std::pair(module.ptx.data(), std::string(module.ptx_sha256));
  auto found = modules_.find(key);
  if (found == modules_.end()) {
    std::optional<ptx::Program> program;
    if (given == nullptr)
      program = ptx::parse(module.ptx, name_of(module));
    else
      std::erase_if(modules_, [](const auto& each) { return !each.second.program; });
    if (modules_.size() == most)
      modules_.erase(
          std::ranges::min_element(modules_, {}, [](const auto& each) { return each.second.used; }));
    found = modules_.emplace(key, Entry{.program = std::move(program)}).first;
  }
  found->second.used = ++uses_;
  return found->second;
}

const Kernel& ModuleCache::kernel(const Module& module, const std::string& entry, Observation observation,
                                  const ptx::Program* given) {
  try {
    Entry& of_module = find(module, given);
    const auto key = std::pair(entry, observation);
    const auto known = of_module.kernels.find(key);
    if (known != of_module.kernels.end()) return known->second;
    const ptx::Program& program = of_module.program ? *of_module.program : *given;
    const auto written = std::ranges::find(program.entries, entry, &ptx::Entry::name);
    if (written == program.entries.end())
      throw device::Fault(fmt::format("module {} has no entry '{}'", name_of(module), entry));
    Kernel decoded = decode(*written, program.files, name_of(module), table_, observation);
    return of_module.kernels.emplace(key, std::move(decoded)).first->second;
  } catch (const ptx::ParseError& error) {
    throw device::Fault(error.what());
  }
}

}  // namespace quadpair::emulator
