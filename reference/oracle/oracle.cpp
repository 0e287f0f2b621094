#include "reference/oracle/oracle.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "reference/oracle/bound.hpp"

namespace quadpair::reference {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Magnitudes = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// |h|' of bound.cpp: a subnormal counts as 2^-14.
float magnitude(float h) {
  return h == 0 ? 0.0F : std::max(std::fabs(h), 0x1p-14F);
}

struct Operand {
  Matrix values;
  Magnitudes magnitudes;
};

Operand load(const Half* rows, Eigen::Index count, Eigen::Index k, std::size_t stride) {
  Operand operand{Matrix(count, k), Magnitudes(count, k)};
  for (Eigen::Index row = 0; row < count; ++row) {
    for (Eigen::Index i = 0; i < k; ++i) {
      const float value =
          to_float(rows[static_cast<std::size_t>(row) * stride + static_cast<std::size_t>(i)]);
      operand.values(row, i) = value;
      operand.magnitudes(row, i) = magnitude(value);
    }
  }
  return operand;
}

/// The exact sums, and how far an FP32 sum may be from them.
struct Sums {
  Matrix value, error;
};

Sums sums(const GemmMatrix& weights, const Half* x, std::uint32_t m, std::uint32_t ldx,
          const AccumulationPlan& plan, Model model) {
  const std::uint32_t n = weights.n(), k = weights.k();
  if (plan.k() != k) throw std::invalid_argument("the plan sums another k than the matrix has");
  if (ldx < k) throw std::invalid_argument("ldx is less than k");
  Operand activations = load(x, m, k, ldx);
  const std::vector<double> factors = error_weights(plan, model);
  for (Eigen::Index i = 0; i < k; ++i) activations.magnitudes.col(i) *= static_cast<float>(factors[i]);
  // The bound itself is computed in FP32, at most K + 3 roundings deep.
  const double slack = std::exp((k + 3.0) * 0x1p-23);

  Sums result{Matrix(m, n), Matrix(m, n)};
  constexpr std::uint32_t block = 128;  // rows of W converted at a time
  const tbb::blocked_range<std::uint32_t> all(0, (n + block - 1) / block, 1);
  tbb::parallel_for(all, [&](const tbb::blocked_range<std::uint32_t>& range) {
    for (std::uint32_t b = range.begin(); b != range.end(); ++b) {
      const std::uint32_t first = b * block, count = std::min(block, n - first);
      const Operand w = load(weights.rows(first, count).data(), count, k, k);
      result.value.middleCols(first, count).noalias() = activations.values * w.values.transpose();
      result.error.middleCols(first, count) =
          (activations.magnitudes * w.magnitudes.transpose()).cast<double>() * slack;
    }
  });
  return result;
}

}  // namespace

OracleResult oracle_gemm(const GemmMatrix& weights, const Half* x, std::uint32_t m, std::uint32_t ldx,
                         const AccumulationPlan& plan, Model model) {
  const Sums s = sums(weights, x, m, ldx, plan, model);
  OracleResult result{{s.value.data(), s.value.data() + s.value.size()},
                      std::vector<double>(static_cast<std::size_t>(s.value.size()))};
  for (std::size_t i = 0; i < result.bound.size(); ++i)
    result.bound[i] = rounded_error(result.value[i], s.error.data()[i]);
  return result;
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

bool within(double value, double bound, Half actual) {
  if (!std::isfinite(value)) return true;
  const double result = to_float(actual);
  if (std::isnan(result)) return false;
  return bound == infinity || std::fabs(result - value) <= bound;
}

}  // namespace quadpair::reference
