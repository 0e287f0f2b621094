// From checks to a status.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "harness/compare/check.hpp"

namespace quadpair::compare {

enum class Status {
  passed,     ///< as wanted; an expected refusal is one
  failed,     ///< wrong, or it did not come to an end
  skipped,    ///< not run, for the reason given
  refused,    ///< bad input that nobody expected
  mistrusted  ///< nothing wrong was seen, but nothing wrong could have been
};

inline constexpr Status all_statuses[] = {Status::passed, Status::failed, Status::skipped, Status::refused,
                                          Status::mistrusted};

std::string_view to_string(Status status);

struct Verdict {
  Status status = Status::passed;
  std::string reason;  ///< empty when passed
};

/// Failed when any check has a mismatch; else mistrusted for the reason given, or when nothing at all was
/// compared; else passed.
Verdict judge(std::span<const Check> checks, const std::optional<std::string>& why_mistrusted);

/// One line on a check's first mismatch: how many, where, bits and values.
std::string describe(const Check& check);

}  // namespace quadpair::compare
