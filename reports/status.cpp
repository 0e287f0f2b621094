#include "reports/status.hpp"

namespace quadpair::reports {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::passed: return "passed";
    case Status::failed: return "failed";
    case Status::skipped: return "skipped";
    case Status::refused: return "refused";
    case Status::mistrusted: return "mistrusted";
  }
  return "unknown";
}

}  // namespace quadpair::reports
