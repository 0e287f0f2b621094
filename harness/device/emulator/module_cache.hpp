// Modules parsed and entries decoded once, when first launched.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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
  /// The kernel of that name, which stays until `most` other modules have been asked for. Throws
  /// device::Fault when it has an instruction that is not known, when the module's PTX is malformed, and when
  /// there is no such entry. `given`: what the PTX says, where the caller has it; such a module stays until
  /// the next one that is given.
  const Kernel& kernel(const Module& module, const std::string& entry,
                       Observation observation = Observation::none, const ptx::Program* given = nullptr);

 private:
  struct Entry {
    std::optional<ptx::Program> program;  ///< nothing where it is given
    std::map<std::pair<std::string, Observation>, Kernel> kernels{};
    std::uint64_t used = 0;  ///< when last
  };
  Entry& find(const Module& module, const ptx::Program* given);

  static constexpr std::size_t most = 64;  ///< modules kept: more than all suites launch on a device

  OpcodeTable table_;
  /// By where the PTX is and its SHA-256: another module may come to stand where one was.
  std::map<std::pair<const char*, std::string>, Entry> modules_;
  std::uint64_t uses_ = 0;
};

}  // namespace quadpair::emulator
