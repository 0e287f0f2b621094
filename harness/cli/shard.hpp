// --shard: the part of a suite that one machine takes.
#pragma once

#include <cstddef>
#include <vector>

#include "cases/suite.hpp"
#include "reports/record.hpp"

namespace CLI {
class App;
}

namespace quadpair::cli {

/// Adds --shard I/N, I from 1 to N.
void add_shard(CLI::App& command, reports::Shard& shard);

/// Places in the suite of the cases that the shard holds, ascending; the same on every machine. Costly cases
/// are spread over the shards (run::deal). Throws Error(usage) when there are more shards than cases.
std::vector<std::size_t> places_of(const cases::Suite& suite, const reports::Shard& shard);

}  // namespace quadpair::cli
