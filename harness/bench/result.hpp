// What a benchmark of one case gives.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/timing/sampling.hpp"
#include "reports/record.hpp"

namespace quadpair::bench {

/// Warp instructions of one use, mma among them.
struct Counted {
  std::uint64_t candidate = 0, control = 0;
};

struct Comparison {
  reports::TimingRecord record;
  std::vector<timing::Sample> samples{};  ///< every one; none where cost was counted
  std::vector<timing::Round> rounds{};    ///< those that count
  std::optional<Counted> counted{};
  bool early_start = false;  ///< the candidate by programmatic dependent launch
  bool steady = true;        ///< false: the control seems to differ from itself, or no interval came about
};

struct Result {
  reports::CaseRecord record;
  std::optional<Comparison> comparison{};  ///< nothing where the case did not pass, or was not timed
};

}  // namespace quadpair::bench
