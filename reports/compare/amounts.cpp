#include "reports/compare/amounts.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>

namespace quadpair::reports {
namespace {

using Pairs = std::map<std::string, Amount>;

void pair_up(const std::string& what, const Counts& base, const Counts& now, std::vector<Amount>& changed) {
  Pairs pairs;
  const auto amount = [&](const std::string& name) -> Amount& {
    return pairs.try_emplace(name, Amount{fmt::format("{} {}", what, name)}).first->second;
  };
  for (const auto& [name, n] : base) amount(name).base = n;
  for (const auto& [name, n] : now) amount(name).now = n;
  for (const auto& [name, pair] : pairs)
    if (pair.base != pair.now) changed.push_back(pair);
}

void pair_up(const std::string& name, const std::optional<std::uint64_t>& base,
             const std::optional<std::uint64_t>& now, std::vector<Amount>& changed) {
  if (base && now && *base != *now) changed.push_back({name, *base, *now});
}

}  // namespace

std::vector<Amount> changed_costs(const CaseRecord& base, const CaseRecord& now) {
  std::vector<Amount> changed;
  if (base.cost && now.cost) {
    pair_up("warp instructions", base.cost->warp_instructions, now.cost->warp_instructions, changed);
    pair_up("mma", base.cost->mma, now.cost->mma, changed);
    pair_up("global sectors", base.cost->global_sectors, now.cost->global_sectors, changed);
    pair_up("shared conflicts", base.cost->shared_conflicts, now.cost->shared_conflicts, changed);
    pair_up("divergent branches", base.cost->divergent_branches, now.cost->divergent_branches, changed);
  }
  const bool ran = base.status == Status::passed && now.status == Status::passed;
  if (ran) pair_up("workspace bytes", base.workspace_bytes, now.workspace_bytes, changed);
  return changed;
}

std::vector<Amount> changed_ledger(const Report& base, const Report& now) {
  std::vector<Amount> changed;
  if (!base.ledger || !now.ledger) return changed;
  for (const PolicyLedger& after : now.ledger->policies)
    for (const PolicyLedger& before : base.ledger->policies) {
      if (before.policy != after.policy) continue;
      for (const std::string& item : item_names({before, after}))
        if (before.bytes(item) != after.bytes(item))
          changed.push_back(
              {fmt::format("{} {}", after.policy, item), before.bytes(item), after.bytes(item)});
    }
  return changed;
}

}  // namespace quadpair::reports
