// One output element of a case, explained.
#pragma once

#include "cases/suite.hpp"
#include "harness/run/explain/explanation.hpp"
#include "harness/run/options.hpp"
#include "harness/run/resources.hpp"

namespace quadpair::run {

/// Row `row` and column `column` of the case's output with its first round of inputs. Throws Refused for an
/// operator that sums no products of its own, for a case that is refused and for an element outside the
/// output; cases::DataError; device::Unavailable where the device cannot be watched.
Explanation explain(const cases::Case& c, std::uint32_t row, std::uint32_t column, const Options& options,
                    Resources& resources);

}  // namespace quadpair::run
