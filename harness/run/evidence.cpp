#include "harness/run/evidence.hpp"

#include <algorithm>
#include <span>

#include "harness/compare/trust.hpp"

namespace quadpair::run {

bool sampled_sums_exact(const Matrix& matrix, DecodeRule rule, const inputs::Inputs& inputs) {
  constexpr std::uint64_t most = 64;
  const std::uint64_t n = matrix.weights->n, k = matrix.weights->k, sums = inputs.m * n;
  const reference::GemmMatrix& weights = matrix.decoded(rule);
  const std::uint64_t samples = std::min(sums, most);
  for (std::uint64_t i = 0; i < samples; ++i) {
    // Multiples of an odd fraction of the whole: both row and column vary from sample to sample.
    const std::uint64_t sum = i * sums / samples + (i * 7919) % std::max<std::uint64_t>(sums / samples, 1);
    const std::span x(inputs.x.data() + sum / n * inputs.ldx, k);
    const auto w = weights.rows(static_cast<std::uint32_t>(sum % n), 1);
    if (!compare::exact_in_any_order(x, w)) return false;
  }
  return true;
}

}  // namespace quadpair::run
