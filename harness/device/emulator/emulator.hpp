// The emulator as a Device: runs embedded (or given) PTX on the CPU.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "harness/device/device.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::ptx {
struct Program;
}

namespace quadpair::device {

/// A kernel that is not made from text, and how long launches may run; looked at before each launch, so that
/// one emulator runs many, one after the other.
struct Variant {
  std::string sha256;  ///< Module::ptx_sha256 of modules whose PTX is `program`; each its own
  const ptx::Program* program = nullptr;  ///< as it is when first launched
  std::uint64_t budget = 1ull << 36;      ///< in place of EmulatorOptions::budget
};

struct EmulatorOptions {
  reference::Model model = reference::Model::volta;  ///< arithmetic of mma instructions
  unsigned threads = 0;                              ///< worker threads, as thread_count() says
  bool sanitize = false;  ///< looks for every fault of docs/emulator.md, and goes on after one in a launch
  std::uint64_t budget = 1ull << 36;  ///< warp instructions of one launch before it counts as an endless loop
  const Variant* variant = nullptr;   ///< outlives the emulator
};

/// `Launch::module->ptx` is parsed once per module and kept. A launch throws Fault, naming both, when its
/// module's target does not go with the model (sm70: the model defines m8n8k4; sm80, sm90: m16n8k16, or just
/// turing's m16n8k8), or its kernel has an mma without arithmetic on the model's GPUs (see
/// reference::arithmetic_on).
std::unique_ptr<Device> make_emulator(const EmulatorOptions& options);

}  // namespace quadpair::device
