// A device's counts as a report has them.
#pragma once

#include "harness/device/device.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

reports::CostRecord cost_record(const device::Cost& cost);

}  // namespace quadpair::run
