// A report with something in every field.
#pragma once

#include "reports/record.hpp"

namespace quadpair::reports {

Report example_report();

/// The same with every field set, none to its default.
Report full_report();

}  // namespace quadpair::reports
