#include "reports/ledger.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/json_node.hpp"

namespace quadpair::reports {
namespace {

RankLedger read_rank(const Node& node) {
  RankLedger rank;
  rank.rank = node["rank"].count<std::uint32_t>();
  rank.items = node["items"].each([](const Node& item) {
    return LedgerItem{item["name"].text(), item["bytes"].count<std::uint64_t>()};
  });
  if (node["total"].count<std::uint64_t>() != rank.total())
    node["total"].wrong(fmt::format("the items are {} bytes", rank.total()));
  return rank;
}

}  // namespace

std::uint64_t RankLedger::total() const {
  std::uint64_t sum = 0;
  for (const LedgerItem& item : items) sum += item.bytes;
  return sum;
}

std::uint64_t RankLedger::bytes(std::string_view name) const {
  std::uint64_t sum = 0;
  for (const LedgerItem& item : items)
    if (item.name == name) sum += item.bytes;
  return sum;
}

std::uint64_t PolicyLedger::total() const {
  std::uint64_t sum = 0;
  for (const RankLedger& rank : ranks) sum += rank.total();
  return sum;
}

std::uint64_t PolicyLedger::bytes(std::string_view name) const {
  std::uint64_t sum = 0;
  for (const RankLedger& rank : ranks) sum += rank.bytes(name);
  return sum;
}

std::vector<std::string> item_names(const std::vector<PolicyLedger>& policies) {
  std::vector<std::string> names;
  for (const PolicyLedger& policy : policies)
    for (const RankLedger& rank : policy.ranks)
      for (const LedgerItem& item : rank.items)
        if (std::ranges::find(names, item.name) == names.end()) names.push_back(item.name);
  return names;
}

Json to_json(const Ledger& ledger) {
  Json policies = Json::object();
  for (const PolicyLedger& policy : ledger.policies) {
    Json per_rank = Json::array();
    for (const RankLedger& rank : policy.ranks) {
      Json items = Json::array();
      for (const LedgerItem& item : rank.items) items.push_back({{"name", item.name}, {"bytes", item.bytes}});
      per_rank.push_back({{"rank", rank.rank}, {"total", rank.total()}, {"items", items}});
    }
    policies[policy.policy] = {{"per_rank", per_rank}};
  }
  return {{"tp", ledger.tp}, {"policies", policies}};
}

Ledger read_ledger(const Node& root) {
  Ledger ledger{root["tp"].count<std::uint32_t>(), {}};
  root["policies"].each_member([&](const std::string& name, const Node& policy) {
    ledger.policies.push_back({name, policy["per_rank"].each(read_rank)});
  });
  return ledger;
}

Ledger ledger_from_json(const Json& json) {
  Ledger ledger = read_ledger(Node(json));
  require_kept(json, to_json(ledger));
  return ledger;
}

}  // namespace quadpair::reports
