// Counted cost of a collection's cases, summed by operator, target and model.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/matrix.hpp"

namespace quadpair::reports {

struct CostSum {
  MatrixKey key;
  std::uint64_t cases = 0;
  double multiply_adds = 0;  ///< M N K of the cases; 0 for operators that sum nothing
  std::map<std::string, std::uint64_t> warp_instructions;  ///< by kind; "mma" are the tensor cores'
  std::uint64_t global_sectors = 0, fewest_sectors = 0, shared_conflicts = 0, divergent_branches = 0;

  std::uint64_t total() const;
  /// Of `instructions`, on average for 1,024 multiply-adds, which a warp's m8n8k4 does at once. Nothing where
  /// nothing is summed.
  std::optional<double> per_kilo(std::uint64_t instructions) const;
};

/// In the order in which they first occur; cases that were not counted are left out.
std::vector<CostSum> cost_sums(const Collection& collection);

/// All kinds of instructions, sorted.
std::vector<std::string> kinds_of(const std::vector<CostSum>& sums);

}  // namespace quadpair::reports
