// Reports as JUnit XML, for continuous integration services.
#pragma once

#include <string>

#include "reports/record.hpp"

namespace quadpair::reports {

/// One test suite; a failed, refused or mistrusted case is a failure of that type with reason and repro.
std::string to_junit(const Report& report);

}  // namespace quadpair::reports
