// The error of a screening logit.
//
// With w the exact weights of a vocabulary row, v the decoded ones, x the activations, |.| the Euclidean
// norm:
//   dense logit - exact sum x.w          <= g |x| |w|        FP32 additions of DotPlan, g of bound.cpp
//   exact x.w - exact x.v                <= |x| |w - v|      Cauchy-Schwarz; w - v holds quantisation and the
//                                                            rounding of the decoded weight to FP16
//   exact x.v - screening sum            <= F |x|' |v|'      bound.cpp: sum of f_k |x_k|' |v_k|', F = max
//   f_k,
//                                                            then Cauchy-Schwarz; |.|' takes an FP16
//                                                            subnormal as 2^-14
// Since |x| <= |x|', all three together are at most |x|' (g |w| + |w - v| + F |v|').
// Nothing underflows: products are multiples of 2^-48.
// Last, the sum is rounded to FP16: it lies within half a unit of the logit that was seen, and where that is
// -Inf, at or below -65520.
// FP64 norms err by less than 2^-40 of themselves, which the factor `slack` covers.
#include "reference/oracle/screening.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/oracle/bound.hpp"

namespace quadpair::reference {
namespace {

const double infinity = std::numeric_limits<double>::infinity();
constexpr double slack = 1 + 0x1p-38;

/// |x_k|': an FP16 subnormal counts as 2^-14.
double magnitude(Half x) {
  const double value = std::fabs(double{to_float(x)});
  return value == 0 ? 0 : std::max(value, 0x1p-14);
}

/// The greatest sum that was rounded to this logit.
double greatest_before_rounding(Half logit) {
  if (logit == 0xFC00) return -65520;
  const double value = to_float(logit);
  if (!std::isfinite(value)) return infinity;
  const int exponent = value == 0 ? -14 : std::max(std::ilogb(value), -14);
  return value + std::ldexp(1.0, exponent - 11);
}

}  // namespace

std::vector<double> screening_errors(std::span<const Half> head, std::span<const Half> decoded,
                                     std::uint32_t n, const AccumulationPlan& plan, Model model,
                                     const DotPlan& dense) {
  const std::uint32_t k = plan.k();
  const std::vector<double> weights = error_weights(plan, model);
  const double of_sum = *std::ranges::max_element(weights), of_dense = dot_error(k, dense);
  std::vector<double> errors(n);
  tbb::parallel_for(0U, n, [&](std::uint32_t row) {
    double exact = 0, difference = 0, seen = 0;
    for (std::size_t i = std::size_t{row} * k, end = i + k; i < end; ++i) {
      const double w = to_float(head[i]), v = to_float(decoded[i]), m = magnitude(decoded[i]);
      exact += w * w;
      difference += (w - v) * (w - v);
      seen += m * m;
    }
    const double error =
        slack * (of_dense * std::sqrt(exact) + std::sqrt(difference) + of_sum * std::sqrt(seen));
    errors[row] = std::isfinite(error) ? error : infinity;
  });
  return errors;
}

double row_norm(std::span<const Half> x) {
  double sum = 0;
  for (const Half h : x) sum += magnitude(h) * magnitude(h);
  return std::isfinite(sum) ? slack * std::sqrt(sum) : infinity;
}

double dropped_bound(std::span<const Half> logits, std::span<const std::uint32_t> kept,
                     std::span<const double> errors, double norm) {
  std::vector<bool> is_kept(logits.size());
  for (const std::uint32_t id : kept)
    if (id < is_kept.size()) is_kept[id] = true;
  double bound = -infinity;
  for (std::size_t id = 0; id < logits.size(); ++id) {
    if (is_kept[id]) continue;
    const double of_row = greatest_before_rounding(logits[id]) + errors[id] * norm;
    bound = std::max(bound, std::isnan(of_row) ? infinity : of_row * (1 + (of_row > 0 ? 0x1p-50 : -0x1p-50)));
  }
  return bound;
}

}  // namespace quadpair::reference
