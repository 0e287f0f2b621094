// Whether comparisons keep what is asked of them.
#pragma once

#include <optional>

#include "harness/bench/result.hpp"

namespace quadpair::bench {

enum class Outcome { kept, broken, undecided };

/// With a limit: broken when the whole interval lies above it, undecided when a part does, when there is no
/// interval, or when the control seems to differ from itself. Without one: undecided when the verdict is
/// ambiguous, else kept.
Outcome hold(const Comparison& comparison, const std::optional<double>& most_ratio);

}  // namespace quadpair::bench
