// The emulator as a Device: runs embedded (or given) PTX on the CPU.
#pragma once

#include <cstdint>
#include <memory>

#include "harness/device/device.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::device {

struct EmulatorOptions {
  reference::Model model = reference::Model::volta;  ///< arithmetic of mma instructions
  unsigned threads = 0;                              ///< worker threads, 0: all cores
  std::uint64_t budget = 1ull << 36;  ///< warp instructions of one launch before it counts as an endless loop
};

/// `Launch::module->ptx` is parsed once per module and kept. A launch of a module whose target does not
/// go with the model (see reference::defines) throws Fault naming both.
std::unique_ptr<Device> make_emulator(const EmulatorOptions& options);

}  // namespace quadpair::device
