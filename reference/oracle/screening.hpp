// What screening an LM head in FP8 can lose, proved from the numbers at hand (docs/lm-head.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/common/dot_plan.hpp"
#include "kernels/common/plan.hpp"
#include "reference/formats/fp16.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::reference {

/// For each of n vocabulary rows a factor e: the dense logit and the screening sum before it is rounded to
/// FP16 differ by at most e times the norm of x (row_norm). `head` and `decoded`, FP16 [n, k], are the exact
/// weights and those that screening multiplies with. Infinite where a weight is not finite.
std::vector<double> screening_errors(std::span<const Half> head, std::span<const Half> decoded,
                                     std::uint32_t n, const AccumulationPlan& plan, Model model,
                                     const DotPlan& dense);

/// The norm of one row of x as the errors take it; infinite where a number is not finite.
double row_norm(std::span<const Half> x);

/// A number that no dense logit of a dropped vocabulary row exceeds. `logits` are a row's screening logits
/// [n], `kept` the candidates. -Inf when nothing was dropped, +Inf when nothing can be said. A result of the
/// rerank that lies above it is certain to be the dense one.
double dropped_bound(std::span<const Half> logits, std::span<const std::uint32_t> kept,
                     std::span<const double> errors, double norm);

}  // namespace quadpair::reference
