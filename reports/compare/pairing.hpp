// Internal to comparing: which case of one report is which of the other.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/record.hpp"

namespace quadpair::reports {

struct Pairing {
  std::vector<std::pair<const CaseRecord*, const CaseRecord*>>
      pairs;                             ///< base, new; in the new report's order
  std::vector<std::string> added, gone;  ///< ids
};

/// By id; `across`, those that are left over also by their id without plan, target and model, where one case
/// of either report has it.
Pairing pair_cases(const Report& base, const Report& now, bool across);

}  // namespace quadpair::reports
