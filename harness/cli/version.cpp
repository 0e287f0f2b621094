#include "harness/cli/version.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string_view>

#include "git_revision.hpp"
#include "kernels/common/module.hpp"

namespace quadpair::cli {

std::string version() {
  return QUADPAIR_VERSION;
}

reports::GitRevision revision() {
  return {git_revision, git_dirty};
}

std::string version_text() {
  std::set<std::string_view> toolkits;
  for (const Module& module : modules()) toolkits.insert(module.toolkit);
  return fmt::format("quadpair {} (git {}{})\nkernels compiled by {}", version(), git_revision,
                     git_dirty ? ", dirty" : "", fmt::join(toolkits, ", "));
}

}  // namespace quadpair::cli
