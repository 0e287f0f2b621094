// Shards of a suite as the report of the whole.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "reports/record.hpp"

namespace quadpair::reports {

/// Why shards do not make up a whole: names the file or the shard.
struct MergeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct NamedReport {
  std::string name;  ///< of its file
  Report report;
};

/// What one run of the whole suite would have reported, but for times, command (empty) and id (empty); hosts
/// that differ are listed one after another. Throws MergeError where a shard is missing, there twice, not
/// finished, or not of the same suite, seed, build, device, model and options as the first.
Report merge(const std::vector<NamedReport>& shards);

}  // namespace quadpair::reports
