// Groups of a file and what is in them.
#pragma once

#include <string>
#include <vector>

#include "reports/hdf5_handle.hpp"

namespace quadpair::reports {

/// Throws Hdf5Error where there is none.
GroupHandle open_group(hid_t parent, const std::string& name);

/// Names of what is in a group, as numbers where they are: 2 before 10.
std::vector<std::string> members(hid_t group);

}  // namespace quadpair::reports
