// A case on a device: packing, eager run, captured graph with changed inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/inputs/inputs.hpp"
#include "harness/run/fingerprint.hpp"
#include "harness/run/matrix.hpp"
#include "harness/run/options.hpp"
#include "harness/run/problem.hpp"
#include "reports/check.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

/// Outputs of one run of the launches.
struct Output {
  std::string name;              ///< "eager", "replay 1", ...
  std::size_t round = 0;         ///< of the inputs
  std::vector<std::uint16_t> y;  ///< FP16 [rows, columns]
};

/// All that a device did with a case.
struct Actual {
  std::vector<reports::Check> weight_checks;  ///< of the packed weights
  std::vector<Output> outputs;
  std::vector<reports::Check> checks;  ///< of memory and route: guards, inputs, bytes that are not outputs
  std::string notes;                   ///< on those checks
  std::optional<device::Cost> cost;    ///< of the eager run
  std::vector<reports::KernelRecord> kernels;  ///< all that were launched, each once, in order
  std::vector<reports::KernelRecord> route;    ///< the operator's own
};

/// Of each output.
std::vector<Fingerprint> fingerprints(const Actual& actual);

/// What a case brings to a device.
struct CaseData {
  const Problem& problem;
  const Matrix& matrix;
  const std::vector<inputs::Inputs>& rounds;
  /// A case of more rows that is run between the capture and a last replay, so that a workspace that grows
  /// would show; null: no such replay.
  const Problem* larger = nullptr;
  const inputs::Inputs* larger_inputs = nullptr;
};

/// Packs the checkpoint's codes and scales with the pack kernels; then runs the operator eagerly on
/// rounds[0], captures it, replays it on rounds[1], rounds[2], ... put into the same buffers, and, where that
/// is no great work, runs it eagerly once more on the last round. Outputs and workspace are poisoned anew,
/// each time otherwise, before each run. With M = 0 nothing may be launched, and outputs is empty. Throws
/// what the kernels and the device throw.
Actual run_on_device(device::Device& device, const CaseData& data, const ModuleLookup& find_module);

}  // namespace quadpair::run
