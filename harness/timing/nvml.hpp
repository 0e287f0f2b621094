// The SM clock of an NVIDIA GPU, through the driver's management library loaded at run time.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "harness/timing/clock.hpp"

namespace quadpair::timing {

/// Why there is no clock to read, in words.
struct NoNvml {
  std::string reason;
};

/// The clock of the GPU at `pci_bus_id` (as CUDA prints it, e.g. "0000:1b:00.0": NVML's own numbering of
/// devices differs from CUDA's). The source reads nothing when a query fails later. Nothing is linked: a
/// machine without the library gets a reason.
std::variant<std::unique_ptr<ClockSource>, NoNvml> open_nvml(
    const std::string& pci_bus_id, const std::string& library = "libnvidia-ml.so.1");

}  // namespace quadpair::timing
