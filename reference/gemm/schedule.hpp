// An accumulation plan rearranged for the inner loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/common/plan.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::reference {

/// The fused steps of a plan, stream after stream. A stream is what one chain of one slice sums, from +0.0:
/// streams never mix, so they may be run one by one. k is permuted once, here; packed operands follow it.
struct Schedule {
  Model model = Model::volta;
  std::size_t width = 4;  ///< products of one rounding step: 4, 8 (ampere, half an instruction) or 16
  std::uint32_t chains = 1, slices = 0;
  std::vector<std::uint32_t> k;  ///< the k of each product, in order of execution
  std::vector<std::size_t>
      streams;  ///< slice w, chain c owns products [streams[i], streams[i + 1]), i = w.chains + c

  std::size_t stream_count() const { return streams.size() - 1; }
};

/// Throws std::invalid_argument for a plan that is not well formed, or a model that does not define its
/// instruction.
Schedule make_schedule(const AccumulationPlan& plan, Model model);

}  // namespace quadpair::reference
