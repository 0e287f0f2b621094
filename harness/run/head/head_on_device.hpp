// The LM head of a case on a device: quantised and packed there, screened, reranked, and computed densely.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/run/fingerprint.hpp"
#include "harness/run/head/head_output.hpp"
#include "harness/run/head/prepared_head.hpp"
#include "harness/run/options.hpp"
#include "reports/check.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

/// All that a device did with a case.
struct HeadActual {
  std::vector<reports::Check> checks;  ///< of the prepared head, the ledger and memory
  std::string notes;
  std::vector<HeadOutput> outputs;
  std::vector<Fingerprint> fingerprints;       ///< of each array of each output
  std::optional<device::Cost> cost;            ///< of the eager run
  std::vector<reports::KernelRecord> kernels;  ///< all that were launched, each once, in order
  std::vector<reports::KernelRecord> route;    ///< the operators' own
  std::size_t workspace_bytes = 0;
};

/// Of each array of each output.
inline const std::vector<Fingerprint>& fingerprints(const HeadActual& actual) {
  return actual.fingerprints;
}

/// Prepares the head; runs eagerly on rounds[0], captures, replays on the other rounds in the same buffers
/// and, where that is no great work, runs eagerly once more on the last, outputs poisoned anew each time.
/// `rounds` hold FP16 [m, ldx]. Throws what kernels and device throw.
HeadActual run_head_on_device(device::Device& device, const HeadProblem& problem, const PreparedHead& head,
                              const std::vector<std::vector<std::uint16_t>>& rounds,
                              const ModuleLookup& find_module);

}  // namespace quadpair::run
