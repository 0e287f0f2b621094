#include "harness/run/evidence.hpp"

#include <algorithm>

#include "harness/compare/trust.hpp"

namespace quadpair::run {

bool sampled_sums_exact(const reference::GemmMatrix& weights, std::uint32_t m, std::uint32_t ldx,
                        std::span<const std::uint16_t> x) {
  constexpr std::uint64_t most = 64;
  const std::uint64_t n = weights.n(), k = weights.k(), sums = m * n;
  const std::uint64_t samples = std::min(sums, most);
  for (std::uint64_t i = 0; i < samples; ++i) {
    // Multiples of an odd fraction of the whole: both row and column vary from sample to sample.
    const std::uint64_t sum = i * sums / samples + (i * 7919) % std::max<std::uint64_t>(sums / samples, 1);
    const auto w = weights.rows(static_cast<std::uint32_t>(sum % n), 1);
    if (!compare::exact_in_any_order(x.subspan(sum / n * ldx, k), w)) return false;
  }
  return true;
}

}  // namespace quadpair::run
