#include "reference/oracle/oracle.hpp"

#include <oneapi/tbb/blocked_range2d.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "reference/gemm/operands.hpp"
#include "reference/oracle/bound.hpp"
#include "reference/oracle/sums.hpp"

namespace quadpair::reference {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Rows of x whose sums stay in the L2 cache while a panel's weights pass.
constexpr std::size_t row_block = 240;

/// Exact sums x . w, and bounds of the errors after rounding: `rounded` takes a sum and the error before. The
/// latter is the sum of |x_k . w_k|' times factors[k] (see bound.cpp).
template <class Rounded>
OracleResult sums_with_bounds(const GemmMatrix& weights, const Half* x, std::uint32_t m, std::uint32_t ldx,
                              const std::vector<double>& factors, Rounded rounded) {
  const std::size_t n = weights.n(), k = weights.k();
  if (ldx < k) throw std::invalid_argument("ldx is less than k");
  const OracleRows rows = oracle_rows(x, m, ldx, factors);
  // The bound itself is computed in FP32, at most K + 3 roundings deep.
  const double slack = std::exp((static_cast<double>(k) + 3) * 0x1p-23);

  OracleResult result{std::vector<double>(m * n), std::vector<double>(m * n)};
  const tbb::blocked_range2d<std::size_t> all(0, (m + row_block - 1) / row_block, 1, 0,
                                              (n + panel_columns - 1) / panel_columns, 1);
  tbb::enumerable_thread_specific<PanelSpace> spaces;
  tbb::parallel_for(all, [&](const tbb::blocked_range2d<std::size_t>& range) {
    for (std::size_t p = range.cols().begin(); p != range.cols().end(); ++p) {
      const Half* const panel = weights.panel(p, spaces.local()).weights;
      for (std::size_t b = range.rows().begin(); b != range.rows().end(); ++b) {
        const std::size_t first = b * row_block, count = std::min(row_block, m - first);
        const std::size_t column = p * panel_columns, columns = std::min(panel_columns, n - column);
        std::vector<double> value(count * panel_columns);
        std::vector<float> error(count * panel_columns);
        add_products(rows, first, count, panel, value.data(), error.data());
        for (std::size_t row = 0; row < count; ++row) {
          for (std::size_t i = 0; i < columns; ++i) {
            const std::size_t from = row * panel_columns + i, to = (first + row) * n + column + i;
            result.value[to] = value[from];
            result.bound[to] = rounded(value[from], error[from] * slack);
          }
        }
      }
    }
  });
  return result;
}

}  // namespace

OracleResult oracle_gemm(const GemmMatrix& weights, const Half* x, std::uint32_t m, std::uint32_t ldx,
                         const AccumulationPlan& plan, Model model) {
  if (plan.k() != weights.k()) throw std::invalid_argument("the plan sums another k than the matrix has");
  return sums_with_bounds(weights, x, m, ldx, error_weights(plan, model), rounded_error);
}

OracleResult oracle_dense(const GemmMatrix& weights, const Half* x, std::uint32_t m, std::uint32_t ldx,
                          const DotPlan& plan) {
  const std::uint32_t k = weights.k();
  const std::vector<double> factors(k, dot_error(k, plan) + k * 0x1p-53);  // the latter: FP64's own
  return sums_with_bounds(weights, x, m, ldx, factors, [](double value, double error) {
    if (!std::isfinite(value)) return infinity;
    return error;
  });
}

OracleResult oracle_gated(const GemmMatrix& weights, const Half* x, std::uint32_t m, std::uint32_t ldx,
                          const AccumulationPlan& plan, Model model) {
  const std::size_t n = weights.n();
  if (n % 2 != 0) throw std::invalid_argument("a fused matrix has an even number of rows");
  const OracleResult both = oracle_gemm(weights, x, m, ldx, plan, model);
  const std::size_t half = n / 2;
  OracleResult result{std::vector<double>(m * half, std::numeric_limits<double>::quiet_NaN()),
                      std::vector<double>(m * half, infinity)};
  for (std::size_t row = 0; row < m; ++row) {
    for (std::size_t column = 0; column < half; ++column) {
      const std::size_t gate = row * n + column, up = gate + half, out = row * half + column;
      // A gate or an up that may be infinite may give any result, NaN too.
      if (std::isinf(both.bound[gate]) || std::isinf(both.bound[up])) continue;
      const Bounded s = silu_bound(both.value[gate], both.bound[gate]);
      const double value = s.value * both.value[up];
      const double error = std::fabs(s.value) * both.bound[up] + s.error * std::fabs(both.value[up]) +
                           s.error * both.bound[up];
      result.value[out] = value;
      result.bound[out] = rounded_error(value, error * (1 + 0x1p-40) + 0x1p-40 * std::fabs(value));
    }
  }
  return result;
}

bool number_within(double value, double bound, double actual) {
  if (!std::isfinite(value)) return true;
  if (std::isnan(actual)) return false;
  return bound == infinity || std::fabs(actual - value) <= bound;
}

bool within(double value, double bound, Half actual) {
  return number_within(value, bound, to_float(actual));
}

}  // namespace quadpair::reference
