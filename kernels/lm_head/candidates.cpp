#include "kernels/lm_head/candidates.hpp"

#include <algorithm>
#include <cmath>

namespace quadpair::lm_head {

bool stands_before(const Candidate& a, const Candidate& b) {
  const bool a_nan = std::isnan(a.value), b_nan = std::isnan(b.value);
  if (a_nan != b_nan) return a_nan;
  if (!a_nan && a.value != b.value) return a.value > b.value;
  return a.id < b.id;
}

std::vector<Candidate> merge(std::vector<Candidate> of_all_shards, std::uint32_t top) {
  std::erase_if(of_all_shards, [](const Candidate& c) { return c.id == no_candidate; });
  std::ranges::sort(of_all_shards, stands_before);
  if (of_all_shards.size() > top) of_all_shards.resize(top);
  return of_all_shards;
}

}  // namespace quadpair::lm_head
