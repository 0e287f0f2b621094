// A case on a device: packing, eager run, captured graph with changed inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/compare/check.hpp"
#include "harness/device/device.hpp"
#include "harness/inputs/inputs.hpp"
#include "harness/run/matrix.hpp"
#include "harness/run/options.hpp"
#include "harness/run/problem.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

/// Outputs of one run of the launches.
struct Output {
  std::string name;              ///< "eager", "replay 1", ...
  std::size_t round = 0;         ///< of the inputs
  std::vector<std::uint16_t> y;  ///< FP16 [m, columns]
};

/// All that a device did with a case.
struct Actual {
  std::vector<std::uint8_t> packed_codes, packed_scales;
  std::vector<Output> outputs;
  std::vector<compare::Check> checks;          ///< of memory: guards, inputs, bytes that are not outputs
  std::string notes;                           ///< on those checks
  std::optional<device::Cost> cost;            ///< of the eager run
  std::vector<reports::KernelRecord> kernels;  ///< in the order launched
};

/// Uploads the checkpoint's codes and scales and packs them with the pack kernels; then runs the operator
/// eagerly on rounds[0], captures it, replays it on rounds[1], rounds[2], ... put into the same buffers, and
/// runs it eagerly once more on the last round. Outputs are poisoned anew, each time otherwise, before
/// each run. With M = 0 nothing may be launched, and outputs is empty. Throws what the kernels and the device
/// throw.
Actual run_on_device(device::Device& device, const Problem& problem, const Matrix& matrix,
                     const std::vector<inputs::Inputs>& rounds, const ModuleLookup& find_module);

}  // namespace quadpair::run
