// Reports as JUnit XML, for continuous integration services.
#pragma once

#include <string>

#include "reports/collection.hpp"

namespace quadpair::reports {

/// A test suite for each run; a failed, refused or mistrusted case is a failure of that type with reason and
/// repro. Follows the schemas of Ant and of Jenkins's xUnit plugin.
std::string to_junit(const Collection& collection);

}  // namespace quadpair::reports
