// What the tests of the reference GEMM share: plans, operands, and the contract's text as a scalar program.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "kernels/common/plan.hpp"
#include "reference/gemm/gemm.hpp"
#include "reference/qpn2/weights.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::reference::test {

/// The sm_70 kernels' order: groups of 16 k, step q (k 4q..4q+3) to chain q mod C, slice w the groups
/// [w.G/S, (w+1).G/S).
AccumulationPlan sm70_plan(std::uint32_t k, std::uint32_t split_k, std::uint32_t chains);

/// The native kernels' order: units of 64 k, step j sums k {16t + 4j + e}, t and e in 0..3, of the unit; the
/// instruction's k slots 2t, 2t+1 hold e = 0, 1 and 2t+8, 2t+9 hold e = 2, 3.
AccumulationPlan native_plan(std::uint32_t k, std::uint32_t split_k, std::uint32_t chains);

/// The plan of either kind that the model can run.
AccumulationPlan plan_for(Model model, std::uint32_t k, std::uint32_t split_k, std::uint32_t chains);

enum class Fill { normal, any_finite, cancelling, subnormal, subnormal_by_large, full_significands, special };
inline constexpr Fill all_fills[] = {Fill::normal,    Fill::any_finite,         Fill::cancelling,
                                     Fill::subnormal, Fill::subnormal_by_large, Fill::full_significands,
                                     Fill::special};
std::string to_string(Fill fill);

/// A matrix and activations of one kind.
struct Operands {
  Operands(Fill fill, std::uint32_t rows, std::uint32_t n, std::uint32_t k, std::uint32_t ldx,
           std::uint32_t halves, std::uint32_t seed);
  Nvfp4View view() const;
  GemmMatrix matrix() const;  ///< by the QPN2 rule

  std::uint32_t m, n, k, ldx, halves;
  std::vector<std::uint8_t> codes, scales;
  float global = 1;
  std::vector<Half> x;  ///< [m, ldx]; NaN past k
};

/// The FP32 sums [m, n] as the plan's and the models' definitions say, one fused step after another.
/// They show what rounding to FP16 would hide.
std::vector<float> scalar_sums(const Operands& operands, const AccumulationPlan& plan, Model model);

/// h() of each.
std::vector<Half> rounded(const std::vector<float>& sums);

/// "" when the bits are equal, else the first element that differs.
std::string difference(const std::vector<float>& expected, const std::vector<float>& actual,
                       std::size_t columns);
std::string difference(const std::vector<Half>& expected, const std::vector<Half>& actual,
                       std::size_t columns);

}  // namespace quadpair::reference::test
