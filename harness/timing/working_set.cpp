#include "harness/timing/working_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace quadpair::timing {

std::string to_string(const SamplePlan& plan) {
  return fmt::format("{} node{} a graph over {} tensor{}, {} replays a sample", plan.nodes,
                     plan.nodes == 1 ? "" : "s", plan.tensors, plan.tensors == 1 ? "" : "s", plan.replays);
}

std::uint32_t cold_tensors(std::uint64_t tensor_bytes, std::uint64_t l2_bytes) {
  if (tensor_bytes == 0) throw std::invalid_argument("a tensor of no bytes cannot push others out of the L2");
  const std::uint64_t others = 2 * l2_bytes / tensor_bytes + 1;
  if (others >= 1u << 20)
    throw std::invalid_argument(fmt::format(
        "tensors of {} bytes are too small to rotate over twice an L2 of {} bytes", tensor_bytes, l2_bytes));
  return static_cast<std::uint32_t>(others + 1);
}

SamplePlan sample_plan(std::uint32_t m, std::uint32_t tensors) {
  if (tensors == 0) throw std::invalid_argument("a sample needs at least one tensor");
  const std::uint32_t least = m <= 32 ? 16 : 1;
  return {tensors, (least + tensors - 1) / tensors * tensors, 10};
}

void require_tensors(std::size_t uses, const SamplePlan& plan) {
  if (uses != plan.tensors)
    throw std::invalid_argument(fmt::format("work for {} tensors, but {} rotate", uses, plan.tensors));
}

}  // namespace quadpair::timing
