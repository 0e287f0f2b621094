// Whether this build of the program may time anything.
#pragma once

#include <optional>
#include <string>

namespace quadpair::timing {

struct Build {
  bool assertions, optimised, sanitised;
};

/// How this program was compiled.
Build this_build();

/// Why times of such a build would mislead; nothing for one that may time.
std::optional<std::string> reason_not_to_time(const Build& build);

}  // namespace quadpair::timing
