// A checkpoint's shards as a suite.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cases/checkpoint/checkpoint_slices.hpp"
#include "cases/suite.hpp"

namespace quadpair::cases {

/// Numbers of rows at which a checkpoint is verified unless told otherwise.
inline const std::vector<std::uint32_t> checkpoint_rows = {1, 8, 16, 32};

/// Every slice at every M, on all targets and models, with the tuned plan and made-up activations: qpn2_gemm,
/// and qpn2_gated for gate and up, or qpn8_gemm where the weights are FP8; every head at every M that it
/// admits (lm_head). A gated slice whose halves end inside a tile has no qpn2_gemm. Shapes for which there is
/// no plan become a case that is refused when it runs.
Suite checkpoint_suite(const std::shared_ptr<const CheckpointSlices>& slices, const std::string& name,
                       const std::vector<std::uint32_t>& rows);

}  // namespace quadpair::cases
