// What a model's weights take on the devices, by storage policy: values, as JSON and back.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace quadpair::reports {

struct LedgerItem {
  std::string name;
  std::uint64_t bytes = 0;
  friend bool operator==(const LedgerItem&, const LedgerItem&) = default;
};

struct RankLedger {
  std::uint32_t rank = 0;
  std::vector<LedgerItem> items;  ///< summed over projections; heads copy by copy, so names may occur twice

  std::uint64_t total() const;
  std::uint64_t bytes(std::string_view name) const;  ///< of all items of that name
  friend bool operator==(const RankLedger&, const RankLedger&) = default;
};

struct PolicyLedger {
  std::string policy;
  std::vector<RankLedger> ranks;

  std::uint64_t total() const;  ///< over the ranks
  std::uint64_t bytes(std::string_view name) const;
  friend bool operator==(const PolicyLedger&, const PolicyLedger&) = default;
};

struct Ledger {
  std::uint32_t tp = 1;
  std::vector<PolicyLedger> policies;
  friend bool operator==(const Ledger&, const Ledger&) = default;
};

/// Each name of an item once, in the order of the policies and items.
std::vector<std::string> item_names(const std::vector<PolicyLedger>& policies);

/// {"tp", "policies": {NAME: {"per_rank": [{"rank", "total", "items": [{"name", "bytes"}]}]}}}
nlohmann::ordered_json to_json(const Ledger& ledger);

/// The same back. Throws ReadError (reports/json_read.hpp) for anything else, also for a total that is not
/// the sum of its items.
Ledger ledger_from_json(const nlohmann::ordered_json& json);

}  // namespace quadpair::reports
