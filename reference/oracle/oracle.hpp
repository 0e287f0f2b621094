// FP64 results with a derived error bound, independent of any order of summation.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/common/dot_plan.hpp"
#include "kernels/common/plan.hpp"
#include "reference/gemm/gemm.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::reference {

/// value[m, n] in FP64 from the FP16-decoded weights, and for each the largest error that a result of the
/// given plan and model may have; `bound` is +Inf where finite arithmetic may overflow FP16 or an
/// operand is not finite (there the bitwise check alone speaks).
struct OracleResult {
  std::vector<double> value, bound;
};

/// x is FP16 [m, k] with leading dimension ldx. The derivation of the bound stands in bound.cpp.
OracleResult oracle_gemm(const GemmMatrix& weights, const Half* x, std::uint32_t m, std::uint32_t ldx,
                         const AccumulationPlan& plan, Model model);

/// The same through silu(gate) * up for a fused matrix of n rows: [m, n/2].
OracleResult oracle_gated(const GemmMatrix& weights, const Half* x, std::uint32_t m, std::uint32_t ldx,
                          const AccumulationPlan& plan, Model model);

/// FP32 dot products [m, n] in the plan's order; `bound` is +Inf where an operand is not finite.
OracleResult oracle_dense(const GemmMatrix& weights, const Half* x, std::uint32_t m, std::uint32_t ldx,
                          const DotPlan& plan);

/// Whether a result is within its bound; false for NaN where the value is a number.
bool number_within(double value, double bound, double actual);
bool within(double value, double bound, Half actual);

}  // namespace quadpair::reference
