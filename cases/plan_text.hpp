// Plans as suites and case ids write them.
#pragma once

#include <optional>
#include <string>

#include "kernels/qpn2/tuning.hpp"

namespace quadpair::cases {

/// The plan written "s16.c2", or nothing when the text is not of that form.
std::optional<qpn2::Tuning> plan_from_text(const std::string& text);

}  // namespace quadpair::cases
