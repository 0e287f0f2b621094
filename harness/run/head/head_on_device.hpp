// The LM head of a case on a device: quantised and packed there, screened, reranked, and computed densely.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/run/head/head_launches.hpp"
#include "harness/run/head/prepared_head.hpp"
#include "harness/run/options.hpp"
#include "reports/check.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

/// What one run of screening, rerank and dense head gave; of top-1, logits, maxima and ids.
struct HeadOutput {
  std::string name;                       ///< "eager", "replay 1", ...
  std::size_t round = 0;                  ///< of the inputs
  std::vector<std::uint16_t> logits;      ///< of the tensor cores, FP16 [m, n]
  std::vector<std::uint32_t> candidates;  ///< [m][chunks][64]
  std::vector<std::uint32_t> values;      ///< FP32 bits [m, top]
  std::vector<std::uint32_t> ids;         ///< [m, top]
  std::vector<std::uint32_t> dense;       ///< FP32 bits [m, n]
  std::vector<std::uint16_t> maxima;      ///< FP16 [m]
  friend bool operator==(const HeadOutput&, const HeadOutput&) = default;
};

struct HeadActual {
  std::vector<reports::Check> checks;  ///< of the prepared head, the ledger and memory
  std::string notes;
  std::vector<HeadOutput> outputs;
  std::optional<device::Cost> cost;            ///< of the eager run
  std::vector<reports::KernelRecord> kernels;  ///< all that were launched, each once, in order
  std::vector<reports::KernelRecord> route;    ///< the operators' own
  std::size_t workspace_bytes = 0;
};

/// Prepares the head; runs eagerly on rounds[0], captures, replays on the other rounds in the same buffers,
/// outputs poisoned anew each time. `rounds` hold FP16 [m, ldx]. Throws what kernels and device throw.
HeadActual run_head_on_device(device::Device& device, const HeadProblem& problem, const PreparedHead& head,
                              const std::vector<std::vector<std::uint16_t>>& rounds,
                              const ModuleLookup& find_module);

}  // namespace quadpair::run
