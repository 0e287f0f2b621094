// A report with something in every field.
#pragma once

#include "reports/record.hpp"

namespace quadpair::reports {

Report example_report();

}  // namespace quadpair::reports
