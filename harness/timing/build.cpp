#include "harness/timing/build.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace quadpair::timing {

Build this_build() {
  Build build{true, false, false};
#ifdef NDEBUG
  build.assertions = false;
#endif
#ifdef __OPTIMIZE__
  build.optimised = true;
#endif
#ifdef __SANITIZE_ADDRESS__
  build.sanitised = true;
#endif
  return build;
}

std::optional<std::string> reason_not_to_time(const Build& build) {
  std::vector<std::string> reasons;
  if (build.assertions) reasons.emplace_back("assertions are on (NDEBUG is not defined)");
  if (!build.optimised) reasons.emplace_back("the compiler did not optimise");
  if (build.sanitised) reasons.emplace_back("it runs under the address sanitizer");
  if (reasons.empty()) return std::nullopt;
  return fmt::format("this build times nothing: {}; configure with --preset release",
                     fmt::join(reasons, ", "));
}

}  // namespace quadpair::timing
