// One sum by the reference, step by step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/common/plan.hpp"
#include "reference/formats/fp16.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::run {

/// FP32 numbers are bits.
struct ExpectedSum {
  struct Step {
    std::vector<std::uint32_t> k;  ///< in the instruction's own order
    std::uint32_t after = 0;       ///< the accumulator
  };
  struct Chain {
    std::vector<Step> steps;
    std::uint32_t sum() const { return steps.empty() ? 0 : steps.back().after; }
  };
  struct Slice {
    std::uint32_t first_k = 0, end_k = 0;
    std::vector<Chain> chains;
    std::uint32_t sum = 0, running = 0;  ///< running: of the slices so far, from +0.0
  };
  std::vector<Slice> slices;
  reference::Half rounded = 0;
};

/// x and w are FP16 [k]. Throws std::invalid_argument for a plan of another k or one that the model does not
/// define.
ExpectedSum expected_sum(const AccumulationPlan& plan, reference::Model model,
                         std::span<const reference::Half> x, std::span<const reference::Half> w);

}  // namespace quadpair::run
