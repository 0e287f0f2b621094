// How much work cases are, and how a suite is dealt out to machines.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cases/suite.hpp"

namespace quadpair::run {

/// Of one run of the case: M x N x K; 0 for a slice that is not known.
std::uint64_t multiplications(const cases::Case& c, const cases::SliceSource& slices);

/// What a case costs relative to others, making its weights ready included. The same everywhere.
std::uint64_t estimated_cost(const cases::Case& c, const cases::SliceSource& slices);

/// The part, 0 to parts - 1, that each case goes to: the costliest first, each to the part that has least so
/// far (Graham's longest-processing-time rule: the heaviest part has at most 4/3 of the least possible).
std::vector<std::uint32_t> deal(std::span<const std::uint64_t> costs, std::uint32_t parts);

}  // namespace quadpair::run
