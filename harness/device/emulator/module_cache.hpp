// Modules parsed and entries decoded once, when first launched.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "harness/device/emulator/kernel.hpp"
#include "harness/device/emulator/opcode_table.hpp"
#include "harness/device/emulator/ptx/ir.hpp"
#include "kernels/common/module.hpp"

namespace quadpair::emulator {

class ModuleCache {
 public:
  /// The kernel of that name. All entries of the module are decoded: throws device::Fault when one of them
  /// has an instruction that is not known, when the PTX is malformed, and when there is no such entry.
  const Kernel& kernel(const Module& module, const std::string& entry,
                       Observation observation = Observation::none);

 private:
  using Kernels = std::map<std::string, Kernel, std::less<>>;
  OpcodeTable table_;
  /// By where the PTX is, which stays and does not change.
  std::map<std::pair<const char*, Observation>, Kernels> modules_;
};

}  // namespace quadpair::emulator
