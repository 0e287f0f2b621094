// A ledger item by item across policies, over all ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/ledger.hpp"

namespace quadpair::reports {

struct LedgerTable {
  struct Row {
    std::string name;                  ///< of an item, or "total"
    std::vector<std::uint64_t> bytes;  ///< by policy

    /// Of policy `i` to policy `other`.
    std::int64_t difference(std::size_t i, std::size_t other) const {
      return static_cast<std::int64_t>(bytes[i]) - static_cast<std::int64_t>(bytes[other]);
    }
  };
  std::vector<std::string> policies;
  std::size_t base = 0;   ///< the policy that takes most, which the others are held against
  std::vector<Row> rows;  ///< the total last
};

LedgerTable ledger_table(const Ledger& ledger);

}  // namespace quadpair::reports
