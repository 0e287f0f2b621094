// The machine that a run happens on.
#pragma once

#include "reports/record.hpp"

namespace quadpair::cli {

/// CPU model, cores that this process may use, and operating system; "unknown" where the system does not say.
reports::Host this_host();

/// Now, UTC, as 2025-01-31T12:00:00Z.
std::string utc_now();

/// A new random identifier: 32 hex digits.
std::string new_run_id();

}  // namespace quadpair::cli
