// A made-up report of any size.
#pragma once

#include "reports/record.hpp"

namespace quadpair::reports {

/// Every second case failed, with long texts; each was timed, and each M has a weighted ratio.
Report large_report(std::uint32_t cases);

}  // namespace quadpair::reports
