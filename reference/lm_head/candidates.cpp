#include "reference/lm_head/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quadpair::reference {
namespace {

bool goes_first(float a, float b) {
  return std::isnan(a) ? !std::isnan(b) : a > b;
}

}  // namespace

void sort_scored(std::vector<Scored>& scored) {
  std::ranges::sort(scored, {}, &Scored::id);
  std::ranges::stable_sort(scored, goes_first, &Scored::value);
}

std::vector<std::uint32_t> screened(const Half* logits, std::uint32_t m, std::uint32_t n, std::uint32_t ld,
                                    std::uint32_t chunk_rows, std::uint32_t kept) {
  std::vector<std::uint32_t> candidates;
  for (std::uint32_t row = 0; row < m; ++row) {
    for (std::uint32_t first = 0; first < n; first += chunk_rows) {
      std::vector<std::uint32_t> ids(std::min(chunk_rows, n - first));
      std::iota(ids.begin(), ids.end(), first);
      const auto value = [&](std::uint32_t id) { return to_float(logits[std::size_t{row} * ld + id]); };
      std::ranges::stable_sort(ids, goes_first, value);
      ids.resize(kept, 0xFFFFFFFF);
      candidates.insert(candidates.end(), ids.begin(), ids.end());
    }
  }
  return candidates;
}

std::vector<Scored> best(std::vector<Scored> scored, std::uint32_t top) {
  sort_scored(scored);
  if (scored.size() > top) scored.resize(top);
  return scored;
}

}  // namespace quadpair::reference
