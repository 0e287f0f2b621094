// Plans as suites and case ids write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kernels/qpn2/tuning.hpp"

namespace quadpair::cases {

/// The plan written "s16.c2", or nothing when the text is not of that form.
std::optional<qpn2::Tuning> plan_from_text(const std::string& text);

/// Thresholds written "q8.d64": rows up to which QPN2 serves, and from which dense prefill does (0: never).
struct Thresholds {
  std::uint32_t qpn2_rows = 0, dense_rows = 0;
};
std::optional<Thresholds> thresholds_from_text(const std::string& text);

/// Bytes written "w65536".
std::optional<std::uint64_t> workspace_from_text(const std::string& text);

}  // namespace quadpair::cases
