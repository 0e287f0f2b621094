// The command line as a function.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/environment.hpp"

namespace quadpair::cli {

/// Runs `words` ([0] is the program's name) and gives the exit status. Throws nothing.
int run(const std::vector<std::string>& words, const Environment& environment);

}  // namespace quadpair::cli
