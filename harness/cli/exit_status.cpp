#include "harness/cli/exit_status.hpp"

namespace quadpair::cli {

Exit exit_of(const reports::Summary& summary) {
  if (summary.failed > 0) return Exit::wrong;
  if (summary.total() == summary.skipped) return Exit::nothing_ran;
  if (summary.refused > 0) return Exit::bad_data;
  if (summary.mistrusted > 0) return Exit::undecided;
  return Exit::good;
}

}  // namespace quadpair::cli
