#include "harness/run/deal.hpp"

#include <algorithm>
#include <numeric>

namespace quadpair::run {
namespace {

/// Weights of the case's matrix.
std::uint64_t weights(const cases::Case& c, const cases::SliceSource& slices) {
  const auto shape = slices.shape(c.slice);
  return shape ? std::uint64_t{shape->n} * shape->k : 0;
}

}  // namespace

std::uint64_t multiplications(const cases::Case& c, const cases::SliceSource& slices) {
  return c.m * weights(c, slices);
}

std::uint64_t estimated_cost(const cases::Case& c, const cases::SliceSource& slices) {
  constexpr std::uint64_t rows_to_prepare = 16, least = 100'000;
  return multiplications(c, slices) + rows_to_prepare * weights(c, slices) + least;
}

std::vector<std::uint32_t> deal(std::span<const std::uint64_t> costs, std::uint32_t parts) {
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return costs[i]; });
  std::vector<std::uint64_t> loads(parts);
  std::vector<std::uint32_t> dealt(costs.size());
  for (const std::size_t i : order) {
    const auto least = std::ranges::min_element(loads);
    dealt[i] = static_cast<std::uint32_t>(least - loads.begin());
    *least += costs[i];
  }
  return dealt;
}

}  // namespace quadpair::run
