// The order of summation, as a value that kernels publish and the reference obeys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quadpair {

/// The matrix instruction whose fused step sums the products.
enum class MmaShape { m8n8k4, m16n8k8, m16n8k16 };

inline constexpr MmaShape all_mma_shapes[] = {MmaShape::m8n8k4, MmaShape::m16n8k8, MmaShape::m16n8k16};

constexpr std::string_view to_string(MmaShape shape) {
  switch (shape) {
    case MmaShape::m8n8k4: return "m8n8k4";
    case MmaShape::m16n8k8: return "m16n8k8";
    case MmaShape::m16n8k16: return "m16n8k16";
  }
  return "unknown";
}

/// Products that one instruction adds to one accumulator element.
constexpr std::uint32_t products(MmaShape shape) {
  return shape == MmaShape::m8n8k4 ? 4 : shape == MmaShape::m16n8k8 ? 8 : 16;
}

/// One matrix instruction within a unit of k: which chain it extends, and which k it sums.
/// `k` holds products(mma) offsets within the unit, in the order of the instruction's own k index
/// (models that chain halves, or that lower to FMAs, depend on this order).
struct FusedStep {
  std::uint32_t chain = 0;
  std::vector<std::uint16_t> k;
  friend bool operator==(const FusedStep&, const FusedStep&) = default;
};

/// How one output element is summed. K is cut into units of `unit_k`; slice w owns the units
/// [slices[w], slices[w+1]); each slice starts its chains at +0.0 and runs `steps` over its units in
/// ascending order. Then chain 0 += chain 1 += ... (FP32 adds, ascending), and the slice sums are
/// added in ascending order starting from +0.0 (FP32 adds, no atomics); the caller rounds.
/// Two kernels give the same bits only under equal plans.
struct AccumulationPlan {
  MmaShape mma = MmaShape::m8n8k4;
  std::uint32_t unit_k = 16;
  std::uint32_t chains = 1;
  std::vector<FusedStep> steps;
  std::vector<std::uint32_t> slices;  ///< S + 1 boundaries, in units; equal neighbours are an empty slice
  friend bool operator==(const AccumulationPlan&, const AccumulationPlan&) = default;

  std::uint32_t slice_count() const { return static_cast<std::uint32_t>(slices.size()) - 1; }
  std::uint32_t k() const { return slices.back() * unit_k; }
};

/// One line that tells equal plans from unequal ones, for reports.
inline std::string to_string(const AccumulationPlan& plan) {
  std::string text{to_string(plan.mma)};
  text.append(" unit ").append(std::to_string(plan.unit_k)).append(":");
  for (const FusedStep& step : plan.steps) {
    text.append(" c").append(std::to_string(step.chain)).append("[");
    for (std::size_t i = 0; i < step.k.size();) {
      std::size_t j = i + 1;
      while (j < step.k.size() && step.k[j] == step.k[j - 1] + 1) ++j;
      if (i != 0) text += ",";
      text += std::to_string(step.k[i]);
      if (j > i + 1) text.append("-").append(std::to_string(step.k[j - 1]));
      i = j;
    }
    text += "]";
  }
  text += "; slices";
  for (std::uint32_t boundary : plan.slices) text.append(" ").append(std::to_string(boundary));
  return text;
}

}  // namespace quadpair
