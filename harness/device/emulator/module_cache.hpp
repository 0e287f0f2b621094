// Modules parsed and entries decoded once, when first launched.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "harness/device/emulator/kernel.hpp"
#include "harness/device/emulator/opcode_table.hpp"
#include "harness/device/emulator/ptx/ir.hpp"
#include "kernels/common/module.hpp"

namespace quadpair::emulator {

class ModuleCache {
 public:
  /// The kernel of that name, which stays until `most` others have been asked for. All entries of the module
  /// are decoded: throws device::Fault when one of them has an instruction that is not known, when the PTX is
  /// malformed, and when there is no such entry. `given`: what the PTX says, where the caller has it; such a
  /// module stays until the next one that is given.
  const Kernel& kernel(const Module& module, const std::string& entry,
                       Observation observation = Observation::none, const ptx::Program* given = nullptr);

 private:
  using Kernels = std::map<std::string, Kernel, std::less<>>;
  OpcodeTable table_;
  struct Entry {
    Kernels kernels;
    std::uint64_t used = 0;  ///< when last
    bool given = false;
  };
  Kernels decoded(const Module& module, Observation observation, const ptx::Program* given) const;
  static constexpr std::size_t most = 64;  ///< modules kept: more than all suites launch on a device

  /// By where the PTX is, its SHA-256 and what is observed: another module may come to stand where one was.
  std::map<std::tuple<const char*, std::string, Observation>, Entry> modules_;
  std::uint64_t uses_ = 0;
};

}  // namespace quadpair::emulator
