// What this build is.
#pragma once

#include <string>

#include "reports/record.hpp"

namespace quadpair::cli {

std::string version();  ///< e.g. "0.1.0"
reports::GitRevision revision();

/// What --version prints: version, revision, and the toolkit of the embedded kernels.
std::string version_text();

}  // namespace quadpair::cli
