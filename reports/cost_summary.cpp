#include "reports/cost_summary.hpp"

#include <algorithm>
#include <set>

namespace quadpair::reports {
namespace {

void add(CostSum& sum, const CaseRecord& record) {
  const CostRecord& cost = *record.cost;
  ++sum.cases;
  sum.multiply_adds += static_cast<double>(record.shape.m) * record.shape.n * record.shape.k;
  for (const auto& [kind, n] : cost.warp_instructions) sum.warp_instructions[kind] += n;
  for (const auto& [shape, n] : cost.mma) sum.warp_instructions["mma"] += n;
  sum.global_sectors += cost.global_sectors.value_or(0);
  sum.fewest_sectors += cost.fewest_sectors.value_or(0);
  sum.shared_conflicts += cost.shared_conflicts.value_or(0);
  sum.divergent_branches += cost.divergent_branches.value_or(0);
}

}  // namespace

std::uint64_t CostSum::total() const {
  std::uint64_t sum = 0;
  for (const auto& [kind, n] : warp_instructions) sum += n;
  return sum;
}

std::optional<double> CostSum::per_kilo(std::uint64_t instructions) const {
  if (multiply_adds == 0) return std::nullopt;
  return static_cast<double>(instructions) * 1024 / multiply_adds;
}

std::vector<CostSum> cost_sums(const Collection& collection) {
  std::vector<CostSum> sums;
  std::map<MatrixKey, std::size_t> places;
  for (const auto& [file, report] : collection.runs)
    for (const CaseRecord& record : report.cases) {
      if (!record.cost) continue;
      const MatrixKey key{record.operation, record.target, record.model, report.run.device.name};
      const auto [place, is_new] = places.emplace(key, sums.size());
      if (is_new) sums.push_back({key, {}, {}, {}});
      add(sums[place->second], record);
    }
  return sums;
}

std::vector<std::string> kinds_of(const std::vector<CostSum>& sums) {
  std::set<std::string> kinds;
  for (const CostSum& sum : sums)
    for (const auto& [kind, n] : sum.warp_instructions) kinds.insert(kind);
  return {kinds.begin(), kinds.end()};
}

}  // namespace quadpair::reports
