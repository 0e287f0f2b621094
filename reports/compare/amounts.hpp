// Internal to comparing: counted cost and storage of two runs.
#pragma once

#include <vector>

#include "reports/compare/comparison.hpp"

namespace quadpair::reports {

/// What changed of the counted cost, where both runs counted, and of the workspace.
std::vector<Amount> changed_costs(const CaseRecord& base, const CaseRecord& now);

/// What changed of the bytes that weights take, where both runs tell: policy by policy, over all ranks. Items
/// of a policy that only one run has do not count.
std::vector<Amount> changed_ledger(const Report& base, const Report& now);

}  // namespace quadpair::reports
