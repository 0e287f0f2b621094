// The order of sums of the exact logits of an LM head, as a value.
#pragma once

#include <cstdint>
#include <string>

namespace quadpair {

/// How a dot product with a row of the FP16 head is summed in FP32. Lane l of `lanes` takes k = lanes .
/// vector . j + vector . l + i, i = 0..vector - 1, j ascending, with one FMA each from +0.0; then lanes are
/// added as a tree: lane l += lane l ^ 16, ^ 8, ^ 4, ^ 2, ^ 1. NaN results are 0x7FFFFFFF.
struct DotPlan {
  std::uint32_t lanes = 32, vector = 8;
  friend bool operator==(const DotPlan&, const DotPlan&) = default;
};

/// One line for reports.
inline std::string to_string(const DotPlan& plan) {
  std::string text = "fma lanes ";  // appended piece by piece: GCC 12 warns falsely of "..." + std::string
  text.append(std::to_string(plan.lanes)).append(" vector ").append(std::to_string(plan.vector));
  return text.append(", tree 16 8 4 2 1");
}

}  // namespace quadpair
