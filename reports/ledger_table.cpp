#include "reports/ledger_table.hpp"

namespace quadpair::reports {

LedgerTable ledger_table(const Ledger& ledger) {
  LedgerTable table;
  LedgerTable::Row total{"total", {}};
  for (const PolicyLedger& policy : ledger.policies) {
    table.policies.push_back(policy.policy);
    total.bytes.push_back(policy.total());
    if (total.bytes.back() > total.bytes[table.base]) table.base = total.bytes.size() - 1;
  }
  for (const std::string& name : item_names(ledger.policies)) {
    LedgerTable::Row row{name, {}};
    for (const PolicyLedger& policy : ledger.policies) row.bytes.push_back(policy.bytes(name));
    table.rows.push_back(std::move(row));
  }
  table.rows.push_back(std::move(total));
  return table;
}

}  // namespace quadpair::reports
