// How far a sum in a plan's order may be from the exact one.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/common/dot_plan.hpp"
#include "kernels/common/plan.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::reference {

/// For each k the factor of |x_k . w_k|' that enters the error bound of a sum in FP32 (see bound.cpp).
std::vector<double> error_weights(const AccumulationPlan& plan, Model model);

/// The factor of sum |x_k . w_k| that bounds the error of a dot product of k numbers in the plan's order (see
/// bound.cpp).
double dot_error(std::uint32_t k, const DotPlan& plan);

/// Bound of the difference after h(): the exact sum is `value`, the FP32 sum within `error` of it. +Inf where
/// h() may overflow.
double rounded_error(double value, double error);

/// Bounds of silu, evaluated as the kernels do, where the FP16 gate is within `error` of `gate`: the value
/// silu(gate) in FP64 and its error.
struct Bounded {
  double value, error;
};
Bounded silu_bound(double gate, double error);

}  // namespace quadpair::reference
