// The error bound of a sum.
//
// Write P_t for the sum over the products of step t of |x_k . w_k|', where |.|' takes an FP16 subnormal at
// its exponent, 2^-14, and zero at 0. So |p| <= |p|' and 2^(exponent of p) <= |p|'. B_t = P_0 + ... + P_t is
// the same sum over all products of the chain so far.
//
// A truncating step T(F; p_1..p_n, c). All truncations are toward zero, hence |c_t| <= B_t, and E, the
// largest exponent in play, has 2^E <= B_t. Of the n + 1 terms at least the one with exponent E loses
// nothing: a product ends at 2^(E-20), c at 2^(E-23), and F >= 23. The others lose less than 2^(E-F) each,
// the FP32 truncation less than 2^-23 of the result:
//   error of step t < (n . 2^-F + 2^-23) . B_t.
// A lowered step d = c + fma(a3,b3, fma(a2,b2, fma(a1,b1, a0.b0))): a0.b0 is exact, each of the three FMAs
// errs by at most u = 2^-24 of its result and so of P_t, the addition by u of B_t, magnitudes grown by
// earlier roundings included in the factor below:
//   error of step t <= 4u . B_t.
// Nothing underflows: products, and so all sums, are multiples of 2^-48.
//
// A product of step t enters B_t, B_t+1, ..., so summing over the T steps of a chain weights it by T - t.
// Then chains: C - 1 FP32 additions, each erring by u of at most the slice's absolute sum. Then slices: from
// +0.0, so the first addition is exact, and slice v takes part in the S - max(v, 1) others.
// Roundings to nearest let magnitudes grow by (1 + u) each: fewer than K + C + S of them lie on any path, so
// every bound is multiplied by (1 + 2^-23)^(K + C + S), which covers the lowered model too.
//
// A dot product of a DotPlan: on the path of a product lie its lane's FMAs after it, itself included, and the
// additions of the tree, r roundings in all; its error is at most g = r u / (1 - r u) of sum |x_k . w_k|.
//
// FP64 own error: products of FP16 numbers are exact, each of at most K additions errs by 2^-53 of the
// absolute sum: K . 2^-53 for each product.
#include "reference/oracle/bound.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace quadpair::reference {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double u = 0x1p-24;

/// Products that one rounding step sums.
std::size_t step_width(const AccumulationPlan& plan, Model model) {
  return model == Model::ampere ? 8 : products(plan.mma);
}

double step_error(std::size_t width, Model model) {
  const auto terms = static_cast<double>(width);
  switch (model) {
    case Model::fma_lowered: return 4 * u;
    case Model::hopper: return terms * 0x1p-25 + 0x1p-23;
    case Model::ampere: return terms * 0x1p-24 + 0x1p-23;
    default: return terms * 0x1p-23 + 0x1p-23;
  }
}

/// Half a unit in the last place of FP16 at a finite magnitude x: 2^(max(exponent, -14) - 11).
double half_ulp(double x) {
  const std::uint64_t field = std::max<std::uint64_t>(std::bit_cast<std::uint64_t>(x) >> 52, 1023 - 14);
  return x == 0 ? 0 : std::bit_cast<double>((field - 11) << 52);
}

double silu(double x) {
  return x / (1 + std::exp(-x));
}

}  // namespace

std::vector<double> error_weights(const AccumulationPlan& plan, Model model) {
  const std::size_t width = step_width(plan, model);
  const double of_step = step_error(width, model);
  const std::uint32_t slices = plan.slice_count();
  std::vector<double> weights(plan.k(), plan.k() * 0x1p-53);
  std::vector<std::size_t> steps_of_unit(plan.chains);
  for (const FusedStep& step : plan.steps) steps_of_unit[step.chain] += step.k.size() / width;
  for (std::uint32_t slice = 0; slice < slices; ++slice) {
    const double of_additions = u * (plan.chains - 1 + slices - std::max(slice, 1U));
    std::vector<std::size_t> remaining(plan.chains);
    for (std::uint32_t c = 0; c < plan.chains; ++c)
      remaining[c] = steps_of_unit[c] * (plan.slices[slice + 1] - plan.slices[slice]);
    for (std::uint32_t unit = plan.slices[slice]; unit < plan.slices[slice + 1]; ++unit) {
      for (const FusedStep& step : plan.steps) {
        for (std::size_t i = 0; i < step.k.size(); ++i) {
          weights[unit * plan.unit_k + step.k[i]] +=
              of_step * static_cast<double>(remaining[step.chain]) + of_additions;
          if ((i + 1) % width == 0) --remaining[step.chain];
        }
      }
    }
  }
  const double growth = std::exp((plan.k() + plan.chains + slices) * 0x1p-23);
  for (double& weight : weights) weight *= growth;
  return weights;
}

double dot_error(std::uint32_t k, const DotPlan& plan) {
  const std::uint32_t of_step = plan.lanes * plan.vector;
  const std::uint32_t steps = (k + of_step - 1) / of_step;
  const double roundings = static_cast<double>(steps) * plan.vector + std::log2(plan.lanes);
  return roundings * u / (1 - roundings * u);
}

double rounded_error(double value, double error) {
  const double largest = std::fabs(value) + error;
  if (!(largest < 65520)) return infinity;
  return error + half_ulp(largest);
}

// silu falls to its minimum at -1.2784645 and rises after it, so on an interval it is extreme at the ends or
// at the minimum. The kernels' exp errs by at most 1.5 ulp, the addition and the division by half an ulp
// each: less than 3 . 2^-23 of the result in all, second-order terms included; then it is rounded to FP16. An
// exp that underflows or overflows errs by less than half the smallest FP16 subnormal.
Bounded silu_bound(double gate, double error) {
  constexpr double minimum_at = -1.2784645427610738;
  const double value = silu(gate);
  double spread = std::max(std::fabs(silu(gate + error) - value), std::fabs(silu(gate - error) - value));
  if (gate - error < minimum_at && minimum_at < gate + error)
    spread = std::max(spread, std::fabs(silu(minimum_at) - value));
  spread += 3 * 0x1p-23 * (std::fabs(value) + spread);
  return {value, rounded_error(value, spread)};
}

}  // namespace quadpair::reference
