// What became of a case.
#pragma once

#include <string_view>

namespace quadpair::reports {

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

}  // namespace quadpair::reports
