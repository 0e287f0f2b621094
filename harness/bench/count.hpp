// Cost in place of time, where the device counts.
#pragma once

#include <functional>
#include <memory>

#include "harness/bench/result.hpp"
#include "harness/bench/setup.hpp"

namespace quadpair::bench {

/// Counts one use of the candidate on `device`, and of the control there too or, where that has other
/// arithmetic, on `control_device`. Checks of both are added to the record. Throws as Setup.
Comparison count_sides(device::Device& device, device::Device& control_device, const Sides& sides,
                       const Options& options, reports::CaseRecord& record);

/// The same of a case's own sides.
Comparison count_case(device::Device& device, device::Device& control_device, const BenchCase& c,
                      const Options& options, reports::CaseRecord& record);

}  // namespace quadpair::bench
