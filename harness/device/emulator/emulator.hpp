// The emulator as a Device: runs embedded (or given) PTX on the CPU.
#pragma once

#include <cstdint>
#include <memory>

#include "harness/device/device.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::device {

struct EmulatorOptions {
  reference::Model model = reference::Model::volta;  ///< arithmetic of mma instructions
  unsigned threads = 0;                              ///< worker threads, as thread_count() says
  bool sanitize = false;  ///< looks for every fault of docs/emulator.md, and goes on after one in a launch
  std::uint64_t budget = 1ull << 36;  ///< warp instructions of one launch before it counts as an endless loop
};

/// `Launch::module->ptx` is parsed once per module and kept. A launch throws Fault, naming both, when its
/// module's target does not go with the model (sm70: the model defines m8n8k4; sm80, sm90: m16n8k16, or just
/// turing's m16n8k8), or its kernel has an mma without arithmetic on the model's GPUs (see
/// reference::arithmetic_on).
std::unique_ptr<Device> make_emulator(const EmulatorOptions& options);

}  // namespace quadpair::device
