// Which rows and which k a rank holds.
#pragma once

#include <cstdint>
#include <vector>

#include "cases/checkpoint/cut.hpp"
#include "cases/checkpoint/family.hpp"

namespace quadpair::cases {

/// What rank `rank` of `tp` holds of each part, in the parts' order. Column-parallel: the rows of each part
/// are shared by whole units; where a part may be replicated and has fewer units than ranks, tp / units ranks
/// hold the same unit. Row-parallel: k is shared by whole units and on groups of 16. Throws DataError naming
/// projection and part where that leaves a rest.
std::vector<Cut> cuts_of(const Projection& projection, std::uint32_t rank, std::uint32_t tp);

}  // namespace quadpair::cases
