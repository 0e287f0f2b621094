// The bytes of a case, for a reader who wants to look into it.
#pragma once

#include <memory>

#include "harness/inputs/inputs.hpp"
#include "harness/run/device_run.hpp"
#include "harness/run/options.hpp"

namespace quadpair::run {

/// Whether arrays are kept of a case that ended so.
bool kept(SaveArrays save, reports::Status status);

/// Weights as the checkpoint has them, and activations and output of the first output that is not as
/// `expected_y` (of all rounds, on end) says, or of the first of all.
std::shared_ptr<const reports::CaseArrays> arrays_of(const Problem& problem,
                                                     const std::vector<inputs::Inputs>& rounds,
                                                     const cases::QuantizedMatrix& weights,
                                                     std::span<const std::uint16_t> expected_y,
                                                     const std::vector<Output>& outputs);

}  // namespace quadpair::run
