// From checks to a status.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "reports/check.hpp"
#include "reports/status.hpp"

namespace quadpair::compare {

struct Verdict {
  reports::Status status = reports::Status::passed;
  std::string reason;  ///< empty when passed
};

/// Failed when any check has a mismatch; else mistrusted for the reason given, or when nothing at all was
/// compared; else passed.
Verdict judge(std::span<const reports::Check> checks, const std::optional<std::string>& why_mistrusted);

}  // namespace quadpair::compare
