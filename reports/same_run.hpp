// Whether two reports are of one and the same run, or of parts of it.
#pragma once

#include <optional>
#include <string>

#include "reports/record.hpp"

namespace quadpair::reports {

/// The first thing in which `found` differs from `wanted`, as "seed: 1, not 2": suite, seed, build, device,
/// model, options or kernels. What one of them does not say counts as a difference. Shards of one suite do
/// not differ in any of these.
std::optional<std::string> difference(const RunRecord& found, const RunRecord& wanted);

}  // namespace quadpair::reports
